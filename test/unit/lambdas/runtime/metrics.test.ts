import { afterEach, describe, expect, it, vi } from 'vitest';
import { createMetrics } from '../../../../lambdas/runtime/reporting.ts';

const writtenLines = () => {
  const lines: unknown[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(JSON.parse(String(text)));
    return true;
  });
  return lines;
};

describe('the metrics of a function', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('are one line for a batch, with the sum of each', () => {
    const lines = writtenLines();
    const metrics = createMetrics('prod');
    for (let delivery = 0; delivery < 250; delivery += 1) metrics.count('DeliveriesDelivered');
    metrics.count('EventsReplayed', 7);
    metrics.oldestPendingEvent({ seconds: 4_711 });
    metrics.flush();
    expect(lines).toMatchObject([
      {
        service: 'integrations',
        stage: 'prod',
        DeliveriesDelivered: 250,
        EventsReplayed: 7,
        OldestPendingEventAge: 4_711,
      },
    ]);
  });

  it('begin anew after each batch, and are no line where nothing was counted', () => {
    const lines = writtenLines();
    const metrics = createMetrics('prod');
    metrics.count('DeliveriesFatal');
    metrics.flush();
    metrics.count('EventsPending', 0);
    metrics.flush();
    metrics.count('DeliveriesDelivered');
    metrics.flush();
    expect(lines).toMatchObject([{ DeliveriesFatal: 1 }, { DeliveriesDelivered: 1 }]);
    expect(lines[1]).not.toHaveProperty('DeliveriesFatal');
  });
});
