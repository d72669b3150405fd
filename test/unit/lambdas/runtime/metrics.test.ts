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
    vi.unstubAllEnvs();
  });

  it('are one line for a batch, with the sum of each', () => {
    const lines = writtenLines();
    const metrics = createMetrics('prod');
    for (let delivery = 0; delivery < 250; delivery += 1) metrics.count('DeliveriesDelivered');
    metrics.count('EventsReplayed', 7);
    metrics.canaryLatency({ milliseconds: 4_711 });
    metrics.flush();
    expect(lines).toMatchObject([
      {
        service: 'integrations',
        stage: 'prod',
        DeliveriesDelivered: 250,
        EventsReplayed: 7,
        CanaryLatency: 4_711,
      },
    ]);
  });

  it('have failed records once more, of the version of the function', () => {
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'route-event');
    vi.stubEnv('AWS_LAMBDA_FUNCTION_VERSION', '7');
    const lines = writtenLines();
    const metrics = createMetrics('prod');
    metrics.count('RecordsFailed', 3);
    metrics.flush();
    const dimensions = (line: unknown) =>
      (line as { _aws: { CloudWatchMetrics: { Dimensions: string[][] }[] } })._aws
        .CloudWatchMetrics[0]?.Dimensions[0];

    expect(lines).toMatchObject([
      {
        RecordsFailed: 3,
        service: 'integrations',
        stage: 'prod',
        function: 'route-event',
        version: '7',
      },
      { RecordsFailed: 3, service: 'integrations', stage: 'prod' },
    ]);
    expect(lines.map(dimensions)).toEqual([
      ['service', 'stage', 'function', 'version'],
      ['service', 'stage'],
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
