import { inject } from 'vitest';
import type { PathValues } from '../lambdas/route-requests.ts';
import type { MisbehavingReceiver } from '../receiver/misbehaving-receiver.ts';
import {
  answer,
  type Behaviour,
  refuseOnly,
  reset,
  resetWithinHead,
} from '../receiver/receiver-behaviours.ts';
import { createAccountBelow, newAccountWithCallers } from './accounts-with-callers.ts';
import { isLongBeforeTheHour } from './customer-webhook.ts';
import { fillAccount } from './full-account.ts';
import { eventually, observers } from './platform.ts';
import { type ApiCall, type Platform, platformOf, type SampleEvent } from './platform-of.ts';
import { newUnusedToken } from './unused-token.ts';

/** What an example is tried on, in an account of its own: events of one go to all its integrations. */
export interface Scene {
  readonly call: (method: string, path: string, request?: ApiCall) => ReturnType<Platform['call']>;
  readonly memberToken: string;
  readonly values: PathValues;
  readonly query?: string;
}

interface Stage extends Scene, Pick<Platform, 'publish'> {
  /** Not published yet; the scene's is the first of them. */
  readonly events: readonly SampleEvent[];
  readonly behave: (...behaviours: Behaviour[]) => void;
  readonly registerAnother: () => Promise<unknown>;
}

/** One more than a page has when nobody says how many. */
const MORE_THAN_A_PAGE = 21;

/** As the examples have them. */
const SUBSCRIPTIONS = { 'message.received': true, 'message.failed': true };

const newStage = async (
  receiver: MisbehavingReceiver,
  ...behaviours: Behaviour[]
): Promise<Stage> => {
  const { account, user, tokens } = await newAccountWithCallers();
  const service = { ...inject('service'), account, adminToken: tokens.admin };
  const { call, register, publish, sampleEvent } = platformOf(service, observers);
  const path = `/${account}`;
  const behave = (...chosen: Behaviour[]) => receiver.behave(path, ...chosen);
  behave(...behaviours);
  const registerOne = () => register(receiver.url(path), { actions: SUBSCRIPTIONS });
  const { bareId } = await registerOne();
  const events = Array.from({ length: MORE_THAN_A_PAGE }, () => sampleEvent());
  return {
    call,
    publish,
    events,
    behave,
    memberToken: tokens.member,
    values: { account_name: account, account, user, id: bareId, event: events[0]?.id ?? '' },
    registerAnother: registerOne,
  };
};

const untilThere = async (
  { call, values: { id } }: Stage,
  what: string,
  count: number,
): Promise<void> => {
  const read = async () => (await call('GET', `/integrations/${id}/${what}`)).document;
  await eventually(read, ({ member }) => (member as unknown[]).length >= count);
};

/** So many events that arrived. */
const delivered = async (
  receiver: MisbehavingReceiver,
  { count = 1, behaviours = [answer(200, { body: 'OK' })] as Behaviour[] } = {},
): Promise<Stage> => {
  const stage = await newStage(receiver, ...behaviours);
  await stage.publish(...stage.events.slice(0, count));
  await untilThere(stage, 'deliveries?outcome=delivered&limit=100', count);
  return stage;
};

/** An integration that its first event has failed, with so many that wait. */
const failed = async (receiver: MisbehavingReceiver, pending = 1): Promise<Stage> => {
  const stage = await newStage(receiver, answer(500, { body: 'Internal Server Error' }));
  await stage.publish(...stage.events.slice(0, 1));
  const read = () => stage.call('GET', `/integrations/${stage.values.id}`);
  await eventually(read, ({ document }) => document.status === 'failed');
  await stage.publish(...stage.events.slice(1, pending));
  await untilThere(stage, 'pending-events?limit=100', pending);
  return stage;
};

/** An integration that failed, whose endpoint confirmed another event before. */
const refusingSome = async (receiver: MisbehavingReceiver): Promise<Stage> => {
  const stage = await delivered(receiver);
  const [, refused] = stage.events;
  if (refused === undefined) throw new Error('There is no event.');
  stage.behave(answer(422, { body: 'Unprocessable Content' }));
  await stage.publish(refused);
  const read = () => stage.call('GET', `/integrations/${stage.values.id}`);
  await eventually(read, ({ document }) => document.status === 'failed');
  return stage;
};

/**
 * An integration with an event that is set aside: at the hour its endpoint took another event, and
 * at the replay refused the first again.
 */
const withEventSetAside = async (receiver: MisbehavingReceiver): Promise<Stage> => {
  const stage = await failed(receiver);
  const [refused, other] = stage.events;
  if (refused === undefined || other === undefined) throw new Error('There are no events.');
  stage.behave(refuseOnly(refused));
  await stage.publish(other);
  await untilThere(stage, 'pending-events?state=set-aside', 1);
  return stage;
};

/** An integration with a delivery that is in its statistics. */
const counted = async (receiver: MisbehavingReceiver): Promise<Stage> => {
  const stage = await delivered(receiver);
  const read = async () =>
    (await stage.call('GET', `/integrations/${stage.values.id}/statistics`)).document;
  const isCounted = ({ delivered: count }: { delivered: number }) => count > 0;
  await eventually(read, ({ hours }) => (hours as { delivered: number }[]).some(isCounted));
  return stage;
};

const withClientSecret = async (receiver: MisbehavingReceiver): Promise<Stage> => {
  const stage = await delivered(receiver);
  const body = { config: { clientSecret: 'for the client applications' } };
  await stage.call('PATCH', `/integrations/${stage.values.id}`, { body });
  return stage;
};

/** An account with another below it, which is the one that paths name. */
const ofAccountBelow = async (): Promise<Scene> => {
  const { account, tokens } = await newAccountWithCallers();
  const { call } = platformOf(
    { ...inject('service'), account, adminToken: tokens.admin },
    observers,
  );
  const values = { account: await createAccountBelow(account) };
  return { call, memberToken: tokens.member, values };
};

/** With a token that nobody uses, which is the one that paths name. */
const withUnusedToken = async (receiver: MisbehavingReceiver): Promise<Scene> => {
  const stage = await newStage(receiver, answer(200));
  const token = await newUnusedToken(stage.values.account_name ?? '', stage.call);
  return { ...stage, values: { ...stage.values, token } };
};

/** A page's worth of integrations, and one more. */
const withManyIntegrations = async (receiver: MisbehavingReceiver): Promise<Stage> => {
  const stage = await newStage(receiver, answer(200));
  await Promise.all(Array.from({ length: MORE_THAN_A_PAGE - 1 }, stage.registerAnother));
  return stage;
};

const recovering = async (receiver: MisbehavingReceiver): Promise<Stage> => {
  const stage = await failed(receiver);
  const read = () => stage.call('GET', `/integrations/${stage.values.id}`);
  // Else the hourly attempt could be the one that finds it mended.
  await eventually(read, ({ document }) => isLongBeforeTheHour(document));
  stage.behave(answer(200, { body: 'OK' }));
  return stage;
};

/** An integration with a delivery that arrived: what nearly every example can be tried on. */
export const usualScene = (receiver: MisbehavingReceiver): Promise<Scene> => delivered(receiver);

export const inactiveScene = async (receiver: MisbehavingReceiver): Promise<Scene> => {
  const stage = await delivered(receiver);
  await stage.call('PATCH', `/integrations/${stage.values.id}`, { body: { active: false } });
  return stage;
};

/** An account that has all the integrations it may have, nearly all of them written past the API. */
export const fullScene = async (receiver: MisbehavingReceiver): Promise<Scene> => {
  const stage = await newStage(receiver, answer(204));
  await fillAccount(stage.values.account_name ?? '');
  return stage;
};

/** An integration whose delivery is a test. */
export const testedScene = async (receiver: MisbehavingReceiver): Promise<Scene> => {
  const stage = await newStage(receiver, answer(204));
  const { document } = await stage.call('POST', `/integrations/${stage.values.id}/test`, {
    body: { eventType: 'message.received' },
  });
  const event = String(document.delivery).split('/').at(-1) ?? '';
  return { ...stage, values: { ...stage.values, event } };
};

/** By operation and name of the example; those of the rest are `usualScene`. */
const SCENES: Readonly<Record<string, (receiver: MisbehavingReceiver) => Promise<Scene>>> = {
  'listAccounts.all': ofAccountBelow,
  'listAccounts.parameters': ofAccountBelow,
  'getAccount.below': ofAccountBelow,
  'revokeAccessToken.': withUnusedToken,
  'getIntegration.failed': failed,
  'getIntegration.refusesSome': refusingSome,
  'patchIntegration.withoutClientSecret': withClientSecret,
  'listIntegrations.page': withManyIntegrations,
  'listIntegrations.parameters': withManyIntegrations,
  'getDelivery.delivered': (receiver) =>
    delivered(receiver, { behaviours: [resetWithinHead, answer(200, { body: 'OK' })] }),
  'listDeliveries.page': async (receiver) => ({
    ...(await delivered(receiver, { count: MORE_THAN_A_PAGE })),
    query: '?outcome=delivered',
  }),
  'listDeliveries.parameters': (receiver) => delivered(receiver, { count: MORE_THAN_A_PAGE }),
  'getStatistics.counted': counted,
  'listPendingEvents.some': (receiver) => failed(receiver, MORE_THAN_A_PAGE),
  'listPendingEvents.setAside': async (receiver) => ({
    ...(await withEventSetAside(receiver)),
    query: '?state=set-aside',
  }),
  'retryNow.recovered': recovering,
  'retryNow.still-failing': failed,
  'testIntegration.unanswered': (receiver) => newStage(receiver, reset),
};

/** Of each receiver: who only reads leaves the scene as it was. */
const scenesToRead = new WeakMap<MisbehavingReceiver, Promise<Scene>>();

const sceneToRead = (receiver: MisbehavingReceiver): Promise<Scene> => {
  const scene = scenesToRead.get(receiver) ?? usualScene(receiver);
  scenesToRead.set(receiver, scene);
  return scene;
};

export const sceneOf = (
  { operationId, example, reads }: { operationId: string; example: string; reads: boolean },
  receiver: MisbehavingReceiver,
): Promise<Scene> => {
  const usual = reads ? sceneToRead : usualScene;
  return (SCENES[`${operationId}.${example}`] ?? usual)(receiver);
};
