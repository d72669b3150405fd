import type { NoticeRequest } from '../../../core/changes/notice-request.ts';
import type { Integration, Trouble } from '../../../core/integration/integration.ts';
import { anIntegration } from '../integration/integrations.ts';

export const HOUR_MS = 3_600_000;

/** Of 20 November 2026. */
export const at = (time: string): string => `2026-11-20T${time}.000Z`;

export const failedSince = (time: string, trouble: Partial<Trouble> = {}): Integration =>
  anIntegration({
    trouble: {
      kind: 'failed',
      since: at(time),
      lastAttemptAt: at(time),
      nextAttemptAt: at(time),
      ...(trouble.reason === undefined && { statusCode: 500 }),
      ...trouble,
    },
  });

export const aNotice = (overrides: Partial<NoticeRequest> = {}): NoticeRequest => ({
  id: 'write-1',
  account: 'acme',
  integration: anIntegration().id,
  ...overrides,
});
