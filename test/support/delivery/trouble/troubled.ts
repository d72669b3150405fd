import type { Integration, Trouble } from '../../../../core/integration/integration.ts';
import { anIntegration } from '../../integration/integrations.ts';

/** In trouble since noon, of epoch 3. The hourly attempt is at one. */
export const troubled = (kind: Trouble['kind'], overrides: Partial<Trouble> = {}): Integration =>
  anIntegration({
    epoch: 3,
    trouble: {
      kind,
      since: '2026-11-20T12:00:00.000Z',
      statusCode: 503,
      lastAttemptAt: '2026-11-20T12:00:00.000Z',
      nextAttemptAt: '2026-11-20T13:00:00.000Z',
      ...overrides,
    },
  });
