import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { classify, type PostResult } from '../../core/delivery/attempt.ts';
import { type CertificateAuthority, readAuthority } from '../support/certificates.ts';
import type { Customer } from '../support/journey/customer-of.ts';
import { newCustomer } from '../support/journey/customer-webhook.ts';
import { call, eventually, publish, register, sampleEvent } from '../support/journey/platform.ts';
import type { SampleEvent } from '../support/journey/platform-of.ts';
import { attemptsOf, pendingOf } from '../support/journey/service-state.ts';
import { CERTIFICATE_FAULTS } from '../support/receiver/certificate-faults.ts';
import {
  CONNECTION_FAULTS,
  PROTOCOL_FAULTS,
  startTcpServer,
} from '../support/receiver/endpoint-faults.ts';
import { startReceiver } from '../support/receiver/journey-receiver.ts';
import { MisbehavingReceiver } from '../support/receiver/misbehaving-receiver.ts';
import { hang } from '../support/receiver/receiver-behaviours.ts';

/** An endpoint with a fault, and the outcome of an attempt. */
interface Fault {
  readonly what: string;
  readonly url: string;
  readonly expected: Record<string, unknown>;
  /** Whether there is a 2xx in spite of the fault. */
  readonly isConfirmed: boolean;
}

/** Endpoints on loopback, with certificates of the run's authority: only an embedded run has both. */
const stateDirectory = inject('stateDirectory');
const service = inject('service');
const openings: (() => unknown)[] = [];

const runAuthority = async (): Promise<CertificateAuthority> => {
  const [cert, key] = await Promise.all([
    readFile(service.caFile, 'utf8'),
    readFile(join(dirname(service.caFile), 'ca-key.pem'), 'utf8'),
  ]);
  return readAuthority({ cert, key });
};

const shown = (result: PostResult): Pick<Fault, 'expected' | 'isConfirmed'> => ({
  isConfirmed: classify(result).class === 'delivered',
  expected:
    result.kind === 'answered'
      ? { statusCode: result.statusCode }
      : { reason: result.reason, ...(result.code !== undefined && { code: result.code }) },
});

const startFaults = async (): Promise<Fault[]> => {
  const receiver = await startReceiver();
  openings.push(() => receiver.retire());
  const silence = ['silence', hang, { kind: 'unanswered', reason: 'response-timeout' }] as const;
  const protocol = [...PROTOCOL_FAULTS, silence].map(([what, behaviour, result], index) => {
    receiver.behave(`/protocol/${index}`, behaviour);
    return { what, url: receiver.url(`/protocol/${index}`), ...shown(result) };
  });
  const connection = CONNECTION_FAULTS.map(async ([what, greet, result]) => {
    const { url, close } = await startTcpServer(greet);
    openings.push(close);
    return { what, url, ...shown(result) };
  });
  const authority = await runAuthority();
  const certificate = CERTIFICATE_FAULTS.map(async ([what, _code, tls]) => {
    const server = await MisbehavingReceiver.start(await tls(authority));
    openings.push(() => server.close());
    // The run's authority allows no authority below itself, which changes some codes.
    const expected = {
      reason: expect.stringMatching(/^(tls|certificate)-/),
      code: expect.stringMatching(/^[A-Z_]+$/),
    };
    return { what, url: server.url(), expected, isConfirmed: false };
  });
  return [...protocol, ...(await Promise.all([...connection, ...certificate]))];
};

/** Reads one after the other: each read costs a call for each partition. */
const inTurn = async <Item, Found>(
  items: readonly Item[],
  look: (item: Item, index: number) => Promise<Found>,
): Promise<Found[]> => {
  const found: Found[] = [];
  for (const [index, item] of items.entries()) found.push(await look(item, index));
  return found;
};

const isTimeout = (reason: unknown): boolean => String(reason).endsWith('-timeout');

/** On a busy machine an attempt may time out whatever its endpoint does. The attempt is made again. */
const tellingOf = (
  attempts: readonly Record<string, unknown>[],
  fault?: Fault,
): Record<string, unknown> | undefined =>
  attempts.find(({ reason }) => isTimeout(fault?.expected.reason) || !isTimeout(reason));

/** The lines of all functions' logs about the integrations, by name. */
const linesAbout = async (integrations: readonly string[], name: string) => {
  const directory = join(stateDirectory ?? '', 'logs');
  const files = await readdir(directory);
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')));
  return texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.includes(`"message":"${name}"`))
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter(({ integration }) => integrations.includes(String(integration)));
};

describe.skipIf(stateDirectory === undefined)('Every fault of an endpoint', () => {
  let account: Customer;
  let faults: Fault[];
  let event: SampleEvent;
  const registered: { id: string; bareId: string }[] = [];
  const authorization = () => ({ token: account.tokens.admin });
  beforeAll(async () => {
    account = await newCustomer();
    faults = await startFaults();
    for (const { url } of faults) {
      const overrides = { account: account.account, actions: { 'contact.created': true } };
      registered.push(await register(url, { ...overrides, ...authorization() }));
    }
    event = sampleEvent({ account: account.account, type: 'contact.created' });
    await publish(event);
  });
  afterAll(async () => {
    // The service would attempt the unreachable endpoints for the rest of the run.
    for (const { id } of registered) await call('DELETE', id, authorization());
    await Promise.all(openings.map((close) => close()));
  });

  it('is an attempt with an outcome, in the delivery log and the logs', async ({ task }) => {
    task.meta.figures = { 'faults of endpoints': faults.length };
    const attempts = await inTurn(registered, ({ bareId }, index) =>
      eventually(
        async () => tellingOf(await attemptsOf(bareId), faults[index]),
        (found) => found !== undefined,
      ),
    );

    const what = faults.map((fault) => fault.what);
    expect(attempts.map((attempt, index) => [what[index], attempt])).toEqual(
      faults.map((fault) => [fault.what, expect.objectContaining(fault.expected)]),
    );
    const ids = registered.map(({ bareId }) => bareId);
    const tellingLines = await eventually(
      async () => {
        const lines = await linesAbout(ids, 'delivery.attempted');
        return ids.map((id, index) =>
          tellingOf(
            lines.filter(({ integration }) => integration === id),
            faults[index],
          ),
        );
      },
      (found) => found.every((line) => line !== undefined),
    );
    expect(tellingLines.map((line, index) => [what[index], line])).toEqual(
      faults.map((fault) => [fault.what, expect.objectContaining(fault.expected)]),
    );
    expect(await linesAbout(ids, 'endpoint.unknown_fault')).toEqual([]);
  });

  it('leaves its event pending, or waiting for its next attempt', async () => {
    const kept = registered.filter((_, index) => faults[index]?.isConfirmed === false);
    const isKept = async (bareId: string): Promise<boolean> => {
      const pending = await pendingOf(bareId);
      const attempts: readonly Record<string, unknown>[] = await attemptsOf(bareId);
      return pending.includes(event.id) || attempts.at(-1)?.nextAttemptAt !== undefined;
    };
    await inTurn(kept, ({ bareId }) => eventually(() => isKept(bareId), Boolean));
  });
});
