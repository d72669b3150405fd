import fc from 'fast-check';
import { expect } from 'vitest';
import { checkEverything, checkList, type ModelledApi } from './api.ts';
import { idOf, remove } from './changes.ts';
import { create, repeat } from './creation.ts';
import { IntegrationsModel } from './model.ts';
import {
  creation,
  ifMatch,
  patching,
  repetition,
  replacement,
  rotation,
  secretSwitch,
  sendingBack,
  type Target,
  target,
} from './requests.ts';
import { patch, replace, rotateSecret, sendBack, switchToNext } from './writes.ts';

type Command = fc.AsyncCommand<IntegrationsModel, ModelledApi>;

/** Changes the service and the model in the same way. */
type Run<Choice> = (model: IntegrationsModel, api: ModelledApi, choice: Choice) => Promise<unknown>;

const commands = <Choice>(
  name: string,
  choices: fc.Arbitrary<Choice>,
  run: Run<Choice>,
): fc.Arbitrary<Command> =>
  choices.map((choice) => ({
    check: () => true,
    run: async (model, api) => {
      await run(model, api, choice);
      await checkEverything(api, model);
    },
    toString: () => `${name} ${JSON.stringify(choice)}`,
  }));

const read: Run<Target> = async (model, api, wanted) => {
  const id = idOf(model, wanted);
  const { status } = await api.call('GET', id, { role: 'member' });
  expect(status).toBe(model.live.has(id) ? 200 : 404);
};

const list: Run<number> = (model, api, limit) => checkList(api, model, { limit });

const elapse: Run<number> = async (_model, api, seconds) => api.elapse(seconds);

const limit = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom(20, 100));

/** Up to, at and beyond the ends of overlaps and keys. */
const seconds = fc.constantFrom(1, 59, 60, 86_339, 86_400, 604_740, 604_800);

/**
 * Sequences of them. Those by which most can go wrong are drawn more often; `overlaps` are those of
 * switches, in seconds.
 */
export const integrationCommands = ({
  overlaps,
  maxCommands,
}: {
  overlaps: readonly number[];
  maxCommands: number;
}): fc.Arbitrary<Iterable<Command>> => {
  const creating = commands('create', creation, create);
  const rotating = commands('rotate', rotation, rotateSecret);
  const switching = commands('switch', secretSwitch(overlaps), switchToNext);
  return fc.commands(
    [
      creating,
      creating,
      commands('repeat', repetition, repeat),
      commands('replace', replacement, replace),
      commands('patch', patching, patch),
      commands('send back', sendingBack, sendBack),
      rotating,
      rotating,
      switching,
      switching,
      commands('delete', fc.record({ target, ifMatch }), remove),
      commands('get', target, read),
      commands('list', limit, list),
      commands('elapse', seconds, elapse),
    ],
    { maxCommands, size: 'max' },
  );
};

/** So that there is something to change from the first command on. */
const FIRST = {
  active: true,
  address: 0,
  webhookSecret: 'absent',
  clientSecret: 'absent',
  actions: undefined,
  onFatalError: undefined,
  fault: {},
} as const;

/** Runs commands against a service that has nothing yet; gives what it has then. */
export const runAgainst = async (
  api: ModelledApi,
  commands: Iterable<Command>,
): Promise<IntegrationsModel> => {
  const model = new IntegrationsModel();
  await create(model, api, { document: FIRST, key: 'key-1' });
  await create(model, api, { document: { ...FIRST, active: false }, key: undefined });
  await fc.asyncModelRun(() => ({ model, real: api }), commands);
  await checkEverything(api, model);
  return model;
};
