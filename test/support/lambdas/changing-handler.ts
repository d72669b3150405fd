import { buildSettingsChange } from '../../../core/delivery/trouble/settings-change.ts';
import {
  buildChangeIntegration,
  buildDeleteIntegration,
} from '../../../core/integration/change-integration.ts';
import { buildRotateSecret } from '../../../core/integration/rotate-secret.ts';
import {
  buildPatchIntegration,
  buildReplaceIntegration,
} from '../../../core/integration/write-integration.ts';
import { createHandler as deleting } from '../../../lambdas/api/integrations/delete-integration/handler.ts';
import { createHandler as patching } from '../../../lambdas/api/integrations/patch-integration/handler.ts';
import { createHandler as replacing } from '../../../lambdas/api/integrations/replace-integration/handler.ts';
import { createHandler as rotating } from '../../../lambdas/api/integrations/rotate-secret/handler.ts';
import { InMemoryReplayRequests } from '../delivery/pending/in-memory-replay-requests.ts';
import { InMemoryRetrySchedules } from '../delivery/trouble/in-memory-retry-schedules.ts';
import { InMemoryHostAddresses } from '../integration/in-memory-host-addresses.ts';
import { InMemoryIntegrations } from '../integration/in-memory-integrations.ts';
import { InMemorySecrets } from '../integration/in-memory-secrets.ts';
import { anIntegration } from '../integration/integrations.ts';
import { type ApiEventWishes, anApiEvent, call } from './api-gateway-events.ts';
import { RecordingLogger } from './recording-logger.ts';

/** The paths that change an integration, by method: `POST` rotates its secret. */
const RESOURCES = {
  PUT: '/integrations/{id}',
  PATCH: '/integrations/{id}',
  DELETE: '/integrations/{id}',
  POST: '/integrations/{id}/rotate-secret',
};

type Method = keyof typeof RESOURCES;

interface ChangeWishes extends Omit<ApiEventWishes, 'body' | 'method'> {
  readonly id?: string;
  readonly body?: unknown;
  /** The body as it is sent. */
  readonly text?: string | null;
}

/** At eight o'clock; made secrets are numbered, and time passes when told to. */
const changingPorts = (integrations: InMemoryIntegrations, hosts: Record<string, string[]>) => {
  let now = new Date('2026-11-21T08:00:00.000Z');
  let secrets = 0;
  const schedules = new InMemoryRetrySchedules();
  const replays = new InMemoryReplayRequests();
  const settingsChange = buildSettingsChange({ schedules, replays });
  const pause = async () => {};
  const kept = { integrations, schedules, replays, settingsChange, pause, now: () => now };
  return {
    ...kept,
    changeIntegration: buildChangeIntegration(kept),
    deleteIntegration: buildDeleteIntegration(kept),
    secrets: new InMemorySecrets(),
    hosts: new InMemoryHostAddresses(hosts),
    guard: { allowLoopback: false },
    newWebhookSecret: () => {
      secrets += 1;
      return `made webhook secret ${secrets}`;
    },
    passSeconds: (seconds: number) => {
      now = new Date(now.getTime() + seconds * 1_000);
    },
  };
};

/** The functions behind /integrations/{id} that change it, over memory. */
export const changingHandlers = ({
  stored = anIntegration(),
  hosts = {} as Record<string, string[]>,
} = {}) => {
  const integrations = new InMemoryIntegrations(stored);
  const logger = new RecordingLogger();
  const ports = changingPorts(integrations, hosts);
  const { now, replays, passSeconds } = ports;
  const handlers = {
    PUT: replacing({ replaceIntegration: buildReplaceIntegration(ports), now, logger }),
    PATCH: patching({ patchIntegration: buildPatchIntegration(ports), now, logger }),
    POST: rotating({ rotateSecret: buildRotateSecret(ports), now, logger }),
    DELETE: deleting({ deleteIntegration: ports.deleteIntegration, logger }),
  };
  const send = (
    method: Method,
    { id = stored.id, body, text = JSON.stringify(body) ?? null, ...wishes }: ChangeWishes = {},
  ) =>
    call(
      handlers[method],
      anApiEvent({
        method,
        path: RESOURCES[method].replace('{id}', id),
        resource: RESOURCES[method],
        pathParameters: { id },
        ...wishes,
        headers: { 'content-type': 'application/json', ...wishes.headers },
        body: text,
      }),
    );
  return { send, integrations, replays, logger, passSeconds };
};
