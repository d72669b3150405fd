import { createChangeIntegration } from '../../core/integrations/change-integration.ts';
import { createDeleteIntegration } from '../../core/integrations/delete-integration.ts';
import { createPatchIntegration } from '../../core/integrations/patch-integration.ts';
import { createReplaceIntegration } from '../../core/integrations/replace-integration.ts';
import { createHandler as deleting } from '../../lambdas/delete-integration/handler.ts';
import { createHandler as patching } from '../../lambdas/patch-integration/handler.ts';
import { createHandler as replacing } from '../../lambdas/replace-integration/handler.ts';
import { type ApiEventWishes, anApiEvent, call } from './api-gateway-events.ts';
import { InMemoryHostAddresses } from './in-memory-host-addresses.ts';
import { InMemoryIntegrations } from './in-memory-integrations.ts';
import { InMemoryReplayRequests } from './in-memory-replay-requests.ts';
import { InMemoryRetrySchedules } from './in-memory-retry-schedules.ts';
import { anIntegration } from './integrations.ts';
import { RecordingLogger } from './recording-logger.ts';

type Method = 'PUT' | 'PATCH' | 'DELETE';

interface ChangeWishes extends Omit<ApiEventWishes, 'body' | 'method'> {
  readonly id?: string;
  readonly body?: unknown;
  /** The body as it is sent. */
  readonly text?: string | null;
}

/** The functions behind /integrations/{id} that change it, over memory. */
export const changingHandlers = ({
  stored = anIntegration(),
  hosts = {} as Record<string, string[]>,
} = {}) => {
  const integrations = new InMemoryIntegrations(stored);
  const schedules = new InMemoryRetrySchedules();
  const replays = new InMemoryReplayRequests();
  const logger = new RecordingLogger();
  const now = () => new Date('2026-11-21T08:00:00.000Z');
  const ports = {
    changeIntegration: createChangeIntegration({ integrations, schedules, replays, now }),
    hosts: new InMemoryHostAddresses(hosts),
    guard: { allowLoopback: false },
  };
  const deleteIntegration = createDeleteIntegration({ integrations, schedules, replays });
  const handlers = {
    PUT: replacing({ replaceIntegration: createReplaceIntegration(ports), logger }),
    PATCH: patching({ patchIntegration: createPatchIntegration(ports), logger }),
    DELETE: deleting({ deleteIntegration, logger }),
  };
  const send = (
    method: Method,
    { id = stored.id, body, text = JSON.stringify(body) ?? null, ...wishes }: ChangeWishes = {},
  ) =>
    call(
      handlers[method],
      anApiEvent({
        method,
        path: `/integrations/${id}`,
        resource: '/integrations/{id}',
        pathParameters: { id },
        ...wishes,
        headers: { 'content-type': 'application/json', ...wishes.headers },
        body: text,
      }),
    );
  return { send, integrations, replays, logger };
};
