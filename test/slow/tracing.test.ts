import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { eventually } from '../support/journey/platform.ts';
import { type Segment, startTracedRun, type TracedRun } from '../support/journey/traced-run.ts';
import { eventOf } from '../support/receiver/received-deliveries.ts';

const stateDirectory = inject('stateDirectory');
const PATH = '/hooks/a-customers-own-path?key=a-customers-own-key';

const isOurs = ({ name }: Segment) => ['handler', 'endpoint'].includes(name);

describe.skipIf(stateDirectory === undefined)('A stage with tracing', () => {
  let traced: TracedRun;
  beforeAll(async () => {
    traced = await startTracedRun(`${stateDirectory}-traced`);
  });
  afterAll(() => traced?.stop());

  const deliverTo = async (path: string) => {
    const customer = await traced.newCustomer();
    const webhook = await customer.register(traced.receiver.url(path));
    const events = customer.sampleEvents(12);
    await customer.publish(...events);
    await eventually(
      async () => new Set(traced.receiver.requests.all.map(eventOf)),
      (posted) => events.every(({ id }) => posted.has(id)),
    );
    return { customer, webhook, events };
  };

  it('traces the functions, their calls of AWS, and the POSTs by delivery and status', async () => {
    const { events } = await deliverTo(PATH);

    await eventually(
      async () => traced.segments.filter(({ name }) => name === 'endpoint'),
      (posts) => posts.length >= events.length,
    );
    const posts = traced.segments.filter(({ name }) => name === 'endpoint');
    for (const { id } of events) {
      expect(posts.some(({ annotations }) => String(annotations?.delivery).endsWith(id))).toBe(
        true,
      );
    }
    expect(new Set(posts.map(({ annotations }) => annotations?.statusCode))).toEqual(
      new Set([200]),
    );
    // A function's segment is sent when its invocation ends.
    await eventually(
      async () => traced.segments.filter(({ name }) => name === 'handler'),
      (handlers) => {
        const services = handlers.map(({ annotations }) => annotations?.Service);
        return ['change-api', 'route-event', 'deliver-webhook'].every((name) =>
          services.includes(name),
        );
      },
    );
    const calls = traced.segments.filter((segment) => !isOurs(segment));
    // The registration is announced at any time.
    const services = new Set([...calls.map(({ name }) => name), 'EventBridge']);
    expect(services).toEqual(new Set(['DynamoDB', 'EventBridge', 'KMS', 'SQS']));
    expect(calls.every(({ namespace }) => namespace === 'aws')).toBe(true);
  });

  it('sends no address, no token, no secret and nothing of an event', async () => {
    const { customer, webhook, events } = await deliverTo(PATH);
    await eventually(
      async () => traced.sent,
      (sent) => events.every(({ id }) => sent.some((text) => text.includes(id))),
    );

    const all = traced.sent.join('\n');
    const [event] = events;
    for (const hidden of [
      'a-customers-own',
      new URL(traced.receiver.url('/')).host,
      customer.tokens.admin,
      webhook.secret,
      JSON.stringify(event?.data),
      'whsec_',
      'v1,',
    ]) {
      expect(all).not.toContain(hidden);
    }
  });

  it('delivers when nobody listens for traces', async () => {
    traced.loseDaemon();
    const before = traced.sent.length;

    await deliverTo('/hooks/without-daemon');

    expect(traced.sent).toHaveLength(before);
  });
});
