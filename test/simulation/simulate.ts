import { anEvent } from '../support/event/platform-events.ts';
import {
  changeIntegration,
  deleteIntegration,
  requestRecovery,
  resendDelivery,
} from './api-calls.ts';
import { CALM } from './chance.ts';
import type { Fate } from './customer-endpoints.ts';
import { createFunctions } from './functions.ts';
import { judgeFinalState } from './invariants.ts';
import { Journal } from './journal.ts';
import { HourlyPosts } from './ledger.ts';
import type { Scenario } from './scenario.ts';
import type { Action } from './scenes.ts';
import { eventIdOf, urlOf, World } from './world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A scene ends early when nothing happens for this time. */
const SCENE_MS = 2_000;
/** How long all endpoints work while the chaos goes on. */
const WORKING_MS = 150 * MINUTE_MS;
/**
 * How long events are published at a steady rate: until an hourly retry and a hourly replay are over
 * and their events are not late. Longer, beside the backoffs, if these are to end.
 */
const STEADY_MS = 210 * MINUTE_MS;
const EVERY_MS = 50 * MINUTE_MS;
/** Far more steps than any run takes that comes to an end. */
const MAX_STEPS = 20_000;

/**
 * Runs a scenario. Afterwards all endpoints work, always or mostly, but for the events that they
 * never confirm, and the chaos ends. When events have come at a steady rate for some hours, the good ones must be
 * delivered. Then the endpoints confirm everything, and the run goes on until nothing is left to
 * happen: then the final state is judged. Then makes all inactive integrations active and judges
 * again.
 */
export const simulate = async (
  { settings, chaos, first, script, working, outlastsBackoffs }: Scenario,
  { keepLines = false } = {},
): Promise<Journal> => {
  const journal = new Journal({ keepLines });
  const world = new World(settings, journal, createFunctions);
  const { machine } = world;
  machine.chaos = chaos;
  if (chaos === CALM) world.hourlyPosts = new HourlyPosts(journal);
  world.endpoints.behaveAlike(first);
  for (const { action, failingCall, steps } of script) {
    // In a calm scenario nothing goes wrong but the endpoints.
    if (failingCall !== undefined && chaos !== CALM) machine.failingCall = failingCall;
    await act(world, action);
    for (let step = 0; step < steps; step += 1) await machine.step(machine.nowMs + SCENE_MS);
  }
  world.endpoints.behaveAlike(working);
  await wait(world, machine.nowMs + WORKING_MS);
  machine.chaos = CALM;
  machine.failingCall = undefined;
  // Twice: a change of the settings halfway begins each window anew.
  await publishSteadily(world, outlastsBackoffs ? 2 * (settings.windowMs + STEADY_MS) : 0);
  world.timeRules.judgeSteady();
  if (outlastsBackoffs) world.timeRules.judgeFates();
  world.endpoints.confirmAll();
  await runToEnd(world);
  judgeFinalState(world);
  reactivate(world);
  await runToEnd(world);
  judgeFinalState(world);
  return journal;
};

const act = async (world: World, action: Action): Promise<void> => {
  const { machine, journal } = world;
  journal.note(machine.nowMs, 'ACTION', action);
  switch (action.kind) {
    case 'publish':
      for (let count = 0; count < action.events; count += 1) publish(world, action);
      break;
    case 'send-again':
      sendAgain(world, action);
      break;
    case 'behave':
      behave(world, action);
      break;
    case 'change':
      changeIntegration(world, action);
      break;
    case 'delete':
      deleteIntegration(world, action.integration);
      break;
    case 'resend':
      resendDelivery(world, action);
      break;
    case 'recover':
      requestRecovery(world, action);
      break;
    case 'wait':
      await wait(world, machine.nowMs + action.minutes * MINUTE_MS);
      world.timeRules.judge();
      break;
    case 'wait-for-schedule':
      await waitForSchedule(world, action);
  }
};

const behave = (
  { endpoints, timeRules }: World,
  { at, behaviour }: Extract<Action, { kind: 'behave' }>,
): void => {
  if (at === undefined) endpoints.behaveAlike(behaviour);
  else endpoints.behave(urlOf(at.integration, at.address), behaviour);
  timeRules.look();
};

const waitForSchedule = async (
  world: World,
  action: Extract<Action, { kind: 'wait-for-schedule' }>,
): Promise<void> => {
  const { schedules, endpoints, timeRules } = world;
  const firingAt = schedules.nextFiringAt();
  if (Number.isFinite(firingAt)) await wait(world, firingAt - action.leadMs - 1);
  if (action.behaviour !== undefined) endpoints.behaveAlike(action.behaviour);
  timeRules.look();
  for (let count = 0; count < action.events; count += 1) publish(world);
};

const publish = (
  { machine, events, published, endpoints }: World,
  { isSubscribed = true, fate }: { isSubscribed?: boolean; fate?: Fate | undefined } = {},
): void => {
  const number = published.length + 1;
  const event = anEvent({
    id: eventIdOf(number),
    type: isSubscribed ? 'message.received' : 'contact.created',
    occurredAt: machine.now().toISOString(),
    data: { number },
  });
  if (fate !== undefined) endpoints.decree(number, fate);
  published.push(event);
  events.send(event);
};

const sendAgain = (
  { events, published, journal, hourlyPosts }: World,
  { back }: { back: number },
): void => {
  const event = published.at(-1 - back);
  if (event === undefined) return;
  journal.saw('event sent again');
  hourlyPosts?.mayRepeat();
  events.send(event);
};

/**
 * Publishes events while the endpoints work. If that is to outlast the backoffs, the settings of all
 * integrations change halfway.
 */
const publishSteadily = async (world: World, longerMs: number): Promise<void> => {
  const { machine, integrations } = world;
  const beganMs = machine.nowMs;
  const untilMs = beganMs + STEADY_MS + longerMs;
  let isChanged = longerMs === 0;
  while (machine.nowMs < untilMs) {
    publish(world);
    await wait(world, Math.min(untilMs, machine.nowMs + EVERY_MS));
    if (isChanged || machine.nowMs < beganMs + longerMs / 2) continue;
    isChanged = true;
    integrations.all.forEach(({ active }, integration) => {
      if (active) changeIntegration(world, { integration, active, address: 0, secret: 1 });
    });
  }
};

/** Resolves when the time has come, or nothing is left to happen before. */
const wait = async ({ machine, journal }: World, untilMs: number): Promise<void> => {
  let steps = 0;
  while (machine.nowMs < untilMs && (await machine.step(untilMs))) {
    steps += 1;
    if (steps > MAX_STEPS) return journal.violated('The run does not come to an end.');
  }
};

const runToEnd = (world: World): Promise<void> => wait(world, world.machine.nowMs + 5 * DAY_MS);

const reactivate = (world: World): void => {
  world.integrations.all.forEach(({ active }, integration) => {
    if (!active) {
      changeIntegration(world, { integration, active: true, address: 0, secret: 0 });
    }
  });
};
