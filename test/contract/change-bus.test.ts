import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { type AwsError, jsonAnswer, jsonError, parseRequest } from 'local-aws/aws/aws-request.ts';
import { createEventBuses, type EventBuses } from 'local-aws/aws/event-buses.ts';
import { type ListeningServer, startHttpServer } from 'local-aws/http-server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EventBridgeChangeBus } from '../../adapters/eventbridge/event-bridge-change-bus.ts';
import { sampleChange } from '../../core/changes/change-event.ts';
import { CHANGE_KINDS } from '../../core/changes/change-resource.ts';
import { aChangeAt } from '../support/changes/changes.ts';

const AT = '2026-11-20T12:00:00.000Z';

const changes = (count: number) =>
  Array.from({ length: count }, (_, index) => aChangeAt(AT, { position: `${index}` }));

describe('EventBridgeChangeBus', () => {
  let server: ListeningServer;
  let client: EventBridgeClient;
  let buses: EventBuses;
  /** How many entries of each next call are refused. */
  let refusals: number[];
  let calls: number[];
  const pauses: number[] = [];
  beforeAll(async () => {
    server = await startHttpServer({
      port: 0,
      portOption: 'the constant 0',
      maximumBodyBytes: 1_000_000,
      handle: async (request) => {
        const parsed = parseRequest(request);
        const { Entries } = parsed.input as { Entries: object[] };
        calls.push(Entries.length);
        const refused = Math.min(refusals.shift() ?? 0, Entries.length);
        const input = { Entries: Entries.slice(refused) };
        try {
          const accepted =
            input.Entries.length === 0
              ? { Entries: [] }
              : JSON.parse(String(buses.handle({ ...parsed, input }).body));
          return jsonAnswer({
            FailedEntryCount: refused,
            Entries: [
              ...Array(refused).fill({ ErrorCode: 'ThrottlingException' }),
              ...accepted.Entries,
            ],
          });
        } catch (error) {
          return jsonError(error as AwsError);
        }
      },
    });
    client = new EventBridgeClient({
      endpoint: server.origin,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
  });
  beforeEach(() => {
    buses = createEventBuses();
    buses.create('ours');
    [refusals, calls] = [[], []];
    pauses.length = 0;
  });
  afterAll(async () => {
    client.destroy();
    await server.close();
  });

  const busNamed = (busName: string) =>
    new EventBridgeChangeBus(client, { busName, pause: async (ms) => pauses.push(ms) });
  const idsPublished = () => buses.published.map(({ detail }) => (detail as { id: string }).id);

  it('publishes a change of each kind with its detail type, source and time', async () => {
    const all = CHANGE_KINDS.map(sampleChange);
    await busNamed('ours').publish(all);

    expect(buses.published).toEqual(
      all.map((change) => ({
        bus: 'ours',
        source: 'integrations',
        detailType: expect.stringMatching(/^Integration [a-z ]+$/),
        detail: change,
        time: new Date(change.at),
      })),
    );
    expect(new Set(buses.published.map(({ detailType }) => detailType)).size).toBe(all.length);
  });

  it('publishes ten at once', async () => {
    await busNamed('ours').publish(changes(23));
    expect(calls.toSorted()).toEqual([10, 10, 3]);
  });

  it('publishes refused events again after a pause', async () => {
    refusals = [3, 1];
    const all = changes(10);
    await busNamed('ours').publish(all);

    expect(calls).toEqual([10, 3, 1]);
    expect(pauses).toEqual([200, 400]);
    expect(idsPublished().toSorted()).toEqual(all.map(({ id }) => id).toSorted());
  });

  it('throws when events stay refused, after publishing the others', async () => {
    refusals = [2, 2, 2];
    const all = changes(10);

    await expect(busNamed('ours').publish(all)).rejects.toThrow(
      'EventBridge refused 2 events: ThrottlingException',
    );
    expect(idsPublished()).toHaveLength(8);
  });

  it('throws when there is no such bus', async () => {
    await expect(busNamed('another').publish(changes(1))).rejects.toThrow(
      'ResourceNotFoundException',
    );
  });
});
