import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AccountWithCallers,
  newAccountWithCallers,
} from '../support/journey/accounts-with-callers.ts';
import { eventually, publish, register, sampleEvent } from '../support/journey/platform.ts';
import { attemptsOf, deliveriesInFlight, pendingOf } from '../support/journey/service-state.ts';
import { startReceiver } from '../support/receiver/journey-receiver.ts';
import type { MisbehavingReceiver } from '../support/receiver/misbehaving-receiver.ts';
import {
  answer,
  type Behaviour,
  floodWithoutEnd,
  hang,
  hugeHeaders,
  raw,
  redirect,
  reset,
  trickle,
  upgrade,
} from '../support/receiver/receiver-behaviours.ts';

let receiver: MisbehavingReceiver;
let account: AccountWithCallers;
beforeAll(async () => {
  receiver = await startReceiver();
  account = await newAccountWithCallers();
});
afterAll(() => receiver.retire());

const confirmed: [what: string, Behaviour, { statusCode: number }][] = [
  ['answers 204', answer(204), { statusCode: 204 }],
  ['floods without end after a 200', floodWithoutEnd, { statusCode: 200 }],
  ['trickles its body after a 200', trickle, { statusCode: 200 }],
];

const notConfirmed: [what: string, Behaviour, Record<string, unknown>][] = [
  ['answers 504', answer(504), { outcome: 'transient', statusCode: 504 }],
  [
    'answers 500',
    answer(500, { body: 'oh no' }),
    { outcome: 'fatal', statusCode: 500, response: 'oh no' },
  ],
  ['answers 410', answer(410), { outcome: 'fatal', statusCode: 410 }],
  ['redirects', redirect('https://127.0.0.1:1/elsewhere'), { outcome: 'fatal', statusCode: 302 }],
  ['switches protocols', upgrade, { outcome: 'fatal', statusCode: 101 }],
  ['resets the connection', reset, { outcome: 'transient', reason: 'connection-failed' }],
  [
    'answers with something else than HTTP',
    raw('SSH-2.0-OpenSSH\r\n'),
    { outcome: 'transient', reason: 'malformed-response' },
  ],
  ['floods with headers', hugeHeaders, { outcome: 'transient', reason: 'malformed-response' }],
  ['hangs', hang, { outcome: 'transient', reason: 'response-timeout' }],
];

const deliverTo = async (path: string, behaviour: Behaviour) => {
  receiver.behave(path, behaviour);
  const { bareId } = await register(receiver.url(path), {
    account: account.account,
    token: account.tokens.admin,
    actions: { 'contact.opted_out': true },
  });
  return bareId;
};

describe('An endpoint that', () => {
  it.each(confirmed)('%s has confirmed the event', async (what, behaviour, expected) => {
    const integration = await deliverTo(`/confirmed/${what.replaceAll(' ', '-')}`, behaviour);

    await publish(sampleEvent({ account: account.account, type: 'contact.opted_out' }));

    const attempts = await eventually(
      () => attemptsOf(integration),
      (found) => found.length > 0,
    );
    expect(attempts).toEqual([expect.objectContaining({ outcome: 'delivered', ...expected })]);
  });

  it('misbehaves in any of these ways is logged so, keeps its event, and disturbs no other endpoint', async () => {
    const other = await newAccountWithCallers();
    const token = { account: other.account, token: other.tokens.admin };
    const wanted = { ...token, actions: { 'contact.opted_in': true } };
    const integrations: string[] = [];
    for (const [index, [, behaviour]] of notConfirmed.entries()) {
      receiver.behave(`/misbehaves/${index}`, behaviour);
      integrations.push((await register(receiver.url(`/misbehaves/${index}`), wanted)).bareId);
    }
    await register(receiver.url('/behaves'), wanted);
    const event = sampleEvent({ account: other.account, type: 'contact.opted_in' });

    await publish(event);

    await receiver.requests.where(({ path }) => path === '/behaves');
    const logs = await Promise.all(
      integrations.map((integration) =>
        eventually(
          () => attemptsOf(integration),
          (found) => found.length > 0,
        ),
      ),
    );
    expect(logs.map(([first]) => first)).toEqual(
      notConfirmed.map(([, , expected]) => expect.objectContaining(expected)),
    );
    const kept = await Promise.all(integrations.map(pendingOf));
    const transient = notConfirmed.filter(([, , { outcome }]) => outcome === 'transient');
    const inFlight = await eventually(deliveriesInFlight, (count) => count >= transient.length);
    expect(inFlight).toBeGreaterThanOrEqual(transient.length);
    expect(kept.map((pending) => pending.includes(event.id))).toEqual(
      notConfirmed.map(([, , { outcome }]) => outcome === 'fatal'),
    );
  });
});
