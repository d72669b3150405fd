import { buildSendNotice } from '../../../core/changes/send-notice.ts';
import type { Integration } from '../../../core/integration/integration.ts';
import { late } from '../called-ports.ts';
import { administrationInMemory } from '../directory/administration.ts';
import { InMemoryIntegrations } from '../integration/in-memory-integrations.ts';
import { InMemoryMailer, InMemoryNoticeStates } from './in-memory-notices.ts';
import { aNotice, at, failedSince, HOUR_MS } from './notices.ts';

/** An organisation with two admins who have addresses, and others who get no e-mail. */
export const aSender = async ({
  stored = failedSince('12:00:00'),
  refused = [] as string[],
  failing = [] as string[],
  mailMs = 0,
} = {}) => {
  const { administration, directory } = administrationInMemory();
  await administration.createAccount('acme');
  await administration.createAccount('acme-sms', 'acme');
  for (const [id, role, email] of [
    ['ada', 'admin', 'ada@example.com'],
    ['ben', 'member', 'ben@example.com'],
    ['cem', 'admin', 'cem@example.com'],
    ['dee', 'admin', undefined],
    ['eva', 'admin', 'ada@example.com'],
  ] as const) {
    await administration.createUser(id, 'acme', role);
    await administration.setEmail(id, email);
  }
  await administration.createUser('fay', 'acme-sms');
  await administration.setEmail('fay', 'fay@example.com');
  const mailer = new InMemoryMailer({
    ...{ refused, failing },
    onSend: () => {
      now = new Date(now.getTime() + mailMs);
    },
  });
  const states = new InMemoryNoticeStates();
  let pending = 5;
  let now = new Date(at('12:00:01'));
  const ports = {
    ...directory,
    integrations: new InMemoryIntegrations(...(stored ? [stored] : [])),
    states,
    mailer,
    pending: { count: async () => ({ count: pending, isExact: true }) },
    api: 'https://api.example.com/prod',
    console: 'https://console.example.com',
  };
  const build = (through = late) =>
    buildSendNotice({
      ...ports,
      ...{ integrations: through(ports.integrations), states: through(states) },
      ...{ accounts: through(ports.accounts), userList: through(ports.userList) },
      ...{ mailer: through(mailer), pending: through(ports.pending) },
      now: () => now,
      hourMs: HOUR_MS,
    });
  return {
    ...{ administration, directory, mailer, states, build },
    send: () => build()(aNotice()),
    /** Sends at a time, when so many events are pending. */
    sendAt: (instant: string, left = 5) => {
      now = new Date(instant);
      pending = left;
      return build()(aNotice());
    },
    store: (integration: Integration) => {
      ports.integrations = new InMemoryIntegrations(integration);
    },
    addresses: () => mailer.sent.map(({ to }) => to),
  };
};
