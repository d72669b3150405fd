import { pbkdf2Sync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FunctionPool } from '../functions/function-pool.ts';

/**
 * Returns the id of its thread, or with `lists` the modules that Node has loaded. With `wait`: says
 * that it has started, and waits for `go`; with `computesUntil`, computes until there is such a file.
 */
const bundle = `import { existsSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
export const handler = async ({ wait, computesUntil, undefinedResult, prints, lists }) => {
  if (computesUntil) {
    const channel = new BroadcastChannel('local-functions-test');
    channel.postMessage('started');
    channel.close();
    while (!existsSync(computesUntil));
  }
  if (lists) return process.moduleLoadList;
  if (prints) console.log(prints), process.stderr.write('and an error\\n');
  if (undefinedResult) return undefined;
  if (!wait) return { threadId, at: new Date(0) };
  const channel = new BroadcastChannel('local-functions-test');
  const told = new Promise((resolve) => { channel.onmessage = ({ data }) => data === 'go' && resolve(); });
  channel.postMessage('started');
  await told;
  channel.close();
  return { threadId };
};`;

/** How long an invocation waits before another sandbox starts. */
const PATIENCE_MS = 100;
/** How often a sandbox is looked at whether it waits for an endpoint. */
const LOOKED_AT_EACH_MS = 25;
const MINUTE_MS = 60_000;

describe('the functions of the embedded run', () => {
  const channel = new BroadcastChannel('local-functions-test');
  let directory = '';
  let pool: FunctionPool;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'functions-'));
    await writeFile(join(directory, 'index.mjs'), bundle);
  });

  afterEach(() => pool.stop());

  afterAll(async () => {
    channel.close();
    await rm(directory, { recursive: true });
  });

  const createPool = ({
    handler = 'handler',
    concurrency = 2,
    onFailure = () => {},
  } = {}): FunctionPool => {
    pool = new FunctionPool(
      {
        name: 'thread',
        role: 'arn:aws:iam::000000000000:role/local',
        arn: 'arn:aws:lambda:us-east-1:000000000000:function:thread',
        file: join(directory, 'index.mjs'),
        handler,
        environment: {},
        timeoutMs: 4_000,
        memoryMb: 128,
        computing: 2,
        concurrency,
      },
      {
        awsOrigin: 'http://127.0.0.1:1',
        caCertificate: '',
        compileCache: join(directory, 'compile-cache'),
        logFile: join(directory, 'thread.log'),
        onFailure,
      },
    );
    return pool;
  };

  const untilStarted = (count: number) =>
    new Promise<void>((resolve) => {
      let started = 0;
      channel.onmessage = ({ data }) => {
        if (data === 'started') started += 1;
        if (started === count) resolve();
      };
    });

  it('run side by side, each invocation in a warm sandbox of its own', async () => {
    const created = createPool();
    const bothStarted = untilStarted(2);
    const invocations = [created.invoke({ wait: true }), created.invoke({ wait: true })];
    // Beyond the concurrency: this invocation waits for a sandbox.
    const third = created.invoke({});
    await bothStarted;
    channel.postMessage('go');
    const threads = (await Promise.all(invocations)).map((result) => JSON.stringify(result));
    expect(new Set(threads).size).toBe(2);
    const { threadId } = (await third) as { threadId: number };
    expect(threads).toContain(JSON.stringify({ threadId }));
  });

  it('have what they print in a log file of their own, from their start on', async () => {
    await writeFile(join(directory, 'thread.log'), 'of an earlier run\n');
    const created = createPool();
    await created.invoke({ prints: 'Grüße' });
    await created.invoke({ prints: 'more' });
    const log = await readFile(join(directory, 'thread.log'), 'utf8');
    expect(log).toBe('Grüße\nand an error\nmore\nand an error\n');
  });

  it('start others beside those that wait for long, up to the concurrency', async () => {
    const created = createPool({ concurrency: 3 });
    const allStarted = untilStarted(3);
    const invocations = [1, 2, 3].map(() => created.invoke({ wait: true }));
    await allStarted;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const settled = Promise.allSettled([...invocations, created.invoke({ wait: true })]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await created.crash()).toBe(3);
    await created.stop();
    await settled;
  });

  it('start another only when one of those that compute takes long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const created = createPool({ concurrency: 3 });
    const bothStarted = untilStarted(2);
    const computesUntil = join(directory, 'never');
    const invocations = [1, 2].map(() => created.invoke({ computesUntil }));
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    await bothStarted;
    const settled = Promise.allSettled([...invocations, created.invoke({})]);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(await created.crash()).toBe(2);
    await created.stop();
    await settled;
  });

  it('are ready before they are needed while others wait for long', async () => {
    const created = createPool({ concurrency: 3 });
    const oneStarted = untilStarted(1);
    const first = created.invoke({ wait: true });
    await oneStarted;
    await created.untilQuiet();
    // The others do not wait until their patience is over.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const bothStarted = untilStarted(2);
    const others = [2, 3].map(() => created.invoke({ wait: true }));
    await bothStarted;
    channel.postMessage('go');
    const results = (await Promise.all([first, ...others])) as { threadId: number }[];
    expect(new Set(results.map(({ threadId }) => threadId)).size).toBe(3);
  });

  it('are quiet while they wait for long, and not while they compute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const created = createPool();
    const ended = join(directory, 'ended');
    const order: string[] = [];

    const oneStarted = untilStarted(1);
    const computing = created.invoke({ computesUntil: ended }).then(() => order.push('computed'));
    await oneStarted;
    const quiet = created.untilQuiet().then(() => order.push('quiet'));
    await vi.advanceTimersByTimeAsync(10 * LOOKED_AT_EACH_MS);
    await writeFile(ended, '');
    await Promise.all([computing, quiet]);
    vi.useRealTimers();
    const nextStarted = untilStarted(1);
    const waiting = created.invoke({ wait: true }).then(() => order.push('waited'));
    await nextStarted;
    await created.untilQuiet().then(() => order.push('quiet'));
    channel.postMessage('go');
    await waiting;

    expect(order).toEqual(['computed', 'quiet', 'quiet', 'waited']);
  });

  it('do not count as waiting for an endpoint beside a main thread that is busy', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const created = createPool();
    const order: string[] = [];
    const oneStarted = untilStarted(1);
    const waiting = created.invoke({ wait: true });
    await oneStarted;
    const quiet = created.untilQuiet().then(() => order.push('quiet'));
    for (let looks = 0; looks < 10; looks += 1) {
      pbkdf2Sync('', '', 100_000, 64, 'sha512');
      await vi.advanceTimersByTimeAsync(LOOKED_AT_EACH_MS);
    }
    order.push('no longer busy');
    vi.useRealTimers();
    channel.postMessage('go');
    await Promise.all([waiting, quiet]);
    expect(order).toEqual(['no longer busy', 'quiet']);
  });

  it('start no other while one loads', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const created = createPool();
    const settled = Promise.allSettled([created.invoke({ wait: true })]);
    await vi.advanceTimersByTimeAsync(5 * LOOKED_AT_EACH_MS);
    expect(await created.crash()).toBe(1);
    await created.stop();
    await settled;
  });

  it('end one a minute of those that are not needed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const onFailure = vi.fn();
    const created = createPool({ onFailure });
    const twoAtOnce = async (): Promise<readonly number[]> => {
      const bothStarted = untilStarted(2);
      const invocations = [1, 2].map(() => created.invoke({ wait: true }));
      await vi.advanceTimersByTimeAsync(PATIENCE_MS);
      await bothStarted;
      channel.postMessage('go');
      const results = (await Promise.all(invocations)) as { threadId: number }[];
      return results.map(({ threadId }) => threadId);
    };

    const first = await twoAtOnce();
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    const second = await twoAtOnce();

    expect(second.filter((threadId) => first.includes(threadId))).toHaveLength(1);
    expect(onFailure).not.toHaveBeenCalled();
  });

  it('end when a function is not called for a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const created = createPool();
    const call = async () => ((await created.invoke({})) as { threadId: number }).threadId;

    const first = await call();
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    const next = await call();
    await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
    const last = await call();

    expect(next).toBe(first);
    expect(last).not.toBe(first);
  });

  it('give results as JSON has them', async () => {
    const created = createPool();
    expect(await created.invoke({})).toMatchObject({ at: '1970-01-01T00:00:00.000Z' });
    expect(await created.invoke({ undefinedResult: true })).toBeNull();
  });

  it('fail each invocation when the bundle has no such handler', async () => {
    const created = createPool({ handler: 'missing' });
    await expect(created.invoke({})).rejects.toThrow('exports no handler "missing"');
    await expect(created.invoke({})).rejects.toThrow('exports no handler "missing"');
  });

  it('fail an invocation that waits for a sandbox which cannot load', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const bothEnded = Promise.withResolvers<void>();
    let ended = 0;
    const onFailure = () => {
      ended += 1;
      if (ended === 2) bothEnded.resolve();
    };
    const created = createPool({ handler: 'missing', onFailure });
    const invocations = [created.invoke({}), created.invoke({})];
    const results = Promise.allSettled(invocations);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    await bothEnded.promise;
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('end with their invocations when the run stops', async () => {
    const created = createPool();
    const started = untilStarted(1);
    const invocation = created.invoke({ wait: true });
    await started;
    await Promise.all([created.stop(), expect(invocation).rejects.toThrow('The run stops')]);
    await expect(created.invoke({})).rejects.toThrow('The run stops');
  });
});
