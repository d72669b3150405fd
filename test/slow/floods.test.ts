import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { settingsFor } from '../../lib/stages.ts';
import type { Customer } from '../support/journey/customer-of.ts';
import { eventually } from '../support/journey/platform.ts';
import {
  assembleLocal,
  type SeparateRun,
  startSeparateRun,
} from '../support/journey/separate-run.ts';

const stateDirectory = inject('stateDirectory');
const prod = settingsFor('prod');

/** More than a function of the API had for itself when each had a reservation. */
const HELD = 21;

/** Answers of the AWS endpoint about an integration, which wait until they are released. */
const holding = () => {
  let integration: string | undefined;
  const released = Promise.withResolvers<void>();
  return {
    intercept: async <Answer>(request: { body: unknown }, answer: () => Promise<Answer>) => {
      if (integration !== undefined && String(request.body).includes(integration)) {
        await released.promise;
      }
      return answer();
    },
    begin: (bareId: string) => {
      integration = bareId;
    },
    release: () => released.resolve(),
  };
};

describe.skipIf(stateDirectory === undefined)('With the limits of prod', () => {
  const calls = holding();
  let separate: SeparateRun;
  let [caller, neighbour]: Customer[] = [];
  beforeAll(async () => {
    separate = await startSeparateRun(
      `${stateDirectory}-floods`,
      async (folder) => {
        if (!prod) throw new Error('There is no stage prod.');
        const { maximumConcurrency, reservesConcurrency, throttling } = prod;
        const limits = { maximumConcurrency, reservesConcurrency, throttling };
        assembleLocal(folder, { canary: 'true' }, limits);
      },
      {
        onFunctionFailure: () => {},
        interceptAws: (request, answer) => calls.intercept(request, answer),
        secureVariables: ['CANARY_URL'],
      },
    );
    caller = await separate.newCustomer();
    neighbour = await separate.newCustomer();
  });
  afterAll(() => separate?.stop());

  const statusOf = async (method: string, path: string, init: RequestInit = {}) =>
    (await fetch(separate.run.endpoints.api + path, { method, ...init })).status;
  const atOnce = (count: number, call: (index: number) => Promise<number>) =>
    Promise.all(Array.from({ length: count }, (_, index) => call(index)));
  const answersOf = async (statuses: Promise<number[]>) => [...new Set(await statuses)];
  const callsOf =
    (of: Customer | undefined, method: string, path: string, body?: unknown) => async () =>
      (await of?.call(method, path, { body }))?.status ?? 0;

  it.each([
    ['20 GETs of /docs', 20, [200, 429], () => statusOf('GET', '/docs')],
    [
      '60 unknown tokens',
      60,
      [401, 429],
      (index: number) =>
        statusOf('GET', '/me', { headers: { Authorization: `Bearer unknown-${index}` } }),
    ],
    [
      '12 forged POSTs to /_canary',
      12,
      [404, 429],
      () => statusOf('POST', '/_canary', { body: '{}' }),
    ],
  ])('%s at once leave a neighbour 200 or 429', async (_flood, count, answers, call) => {
    const flood = answersOf(atOnce(count, call));
    const beside = answersOf(atOnce(5, callsOf(neighbour, 'GET', '/me')));

    expect((await flood).filter((status) => !answers.includes(status))).toEqual([]);
    expect((await beside).filter((status) => ![200, 429].includes(status))).toEqual([]);
    await eventually(callsOf(neighbour, 'GET', '/me'), (status) => status === 200);
  });

  it('saves that take long leave a neighbour 200 or 429', async () => {
    const [slow, own] = await Promise.all(
      [caller, neighbour].map((of) => of?.register(separate.receiver.url('/in'))),
    );
    calls.begin(slow?.bareId ?? '');
    const save = callsOf(caller, 'PATCH', slow?.id ?? '', { description: 'Slow' });
    const saves: Promise<unknown>[] = [];
    let occupied = 0;
    await eventually(
      async () => {
        occupied += 1;
        saves.push(save().finally(() => (occupied -= 1)));
        return occupied;
      },
      (occupied) => occupied >= HELD,
      { betweenReadsMs: 20 },
    );
    const saveOwn = callsOf(neighbour, 'PATCH', own?.id ?? '', { description: 'Own' });
    const beside = await answersOf(atOnce(13, saveOwn));
    await eventually(saveOwn, (status) => status === 200);
    calls.release();
    await Promise.allSettled(saves);

    expect(beside.filter((status) => ![200, 429].includes(status))).toEqual([]);
  });
});
