import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { describe, expect, inject, it } from 'vitest';
import { type CommandEnd, cdk, DEPLOYMENT_MS, LOCAL_STAGE } from '../support/emulator/commands.ts';
import { outputsOf } from '../support/emulator/deployed-stage.ts';
import { CustomerWebhook } from '../support/journey/customer-webhook.ts';
import { eventually } from '../support/journey/platform.ts';
import { awsClientConfigOf } from '../support/journey/platform-of.ts';
import { endHour } from '../support/journey/service-state.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { DeliveriesTo } from '../support/receiver/received-deliveries.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const place = inject('place');

const receiver = await receiverOfFile();

const deploy = (change: NodeJS.ProcessEnv): Promise<CommandEnd> =>
  cdk(['deploy', '--all', '--concurrency', '1', ...LOCAL_STAGE], change);

const statusOfService = async (): Promise<string | undefined> => {
  const client = new CloudFormationClient(awsClientConfigOf(place));
  const describe = new DescribeStacksCommand({ StackName: 'integrations-local-service' });
  return (await client.send(describe)).Stacks?.[0]?.StackStatus;
};

/** Lets the endpoint confirm, and the hour end; which versions then bring it each of the events. */
const versionsThatReplay = async (
  webhook: CustomerWebhook,
  path: string,
  events: readonly { id: string }[],
): Promise<string[]> => {
  receiver.behave(path, answer(200));
  const fromNowOn = new DeliveriesTo(receiver, path);
  await endHour(webhook);
  await webhook.becomes('active');
  await fromNowOn.each(events);
  await expect.poll(() => webhook.pending(), { interval: 500 }).toEqual([]);
  const agents = fromNowOn.all.map(({ headers }) => headers['user-agent'] ?? '');
  return [...new Set(agents.map((agent) => agent.split('/').at(-1) ?? ''))];
};

/** A webhook whose endpoint refuses everything, with so many pending events. */
const failedWebhook = async (path: string, count: number) => {
  const webhook = await CustomerWebhook.at(receiver, path, { behaves: [answer(500)] });
  const events = webhook.customer.sampleEvents(count);
  await webhook.customer.publish(...events);
  await webhook.becomes('failed');
  const ids = events.map(({ id }) => id);
  await eventually(
    () => webhook.pending(),
    (pending) => pending.length === count,
    { betweenReadsMs: 500 },
  );
  return { webhook, events, ids };
};

/** Publishes an event, then another once that one has arrived, until told to stop; says how many. */
const deliverUntilStopped = ({ customer, deliveries }: CustomerWebhook) => {
  let isStopped = false;
  const loop = (async () => {
    let count = 0;
    for (; !isStopped; count += 1) {
      const event = customer.sampleEvent();
      await customer.publish(event);
      await deliveries.each([event]);
    }
    return count;
  })();
  return (): Promise<number> => {
    isStopped = true;
    return loop;
  };
};

const PENDING = 12;
const NEW_VERSION = '9.9.8';

describe('A deployment over a stage that has work', () => {
  it(
    'loses no event, and the new version replays what is pending',
    async () => {
      const { webhook: failed, events, ids } = await failedWebhook('/update/failed', PENDING);
      const healthy = await CustomerWebhook.at(receiver, '/update/healthy');
      const stop = deliverUntilStopped(healthy);

      const { code, output } = await deploy({ CHANGED_VERSION: NEW_VERSION });
      const delivered = await stop();

      expect(code, output).toBe(0);
      expect(new Set(await failed.pending())).toEqual(new Set(ids));
      expect(await versionsThatReplay(failed, '/update/failed', events)).toEqual([NEW_VERSION]);
      expect(delivered).toBeGreaterThan(3);
    },
    2 * DEPLOYMENT_MS,
  );
});

describe('A deployment that fails', () => {
  it(
    'goes back to the version before, which loses no event',
    async () => {
      const { webhook: failed, events, ids } = await failedWebhook('/rollback/failed', PENDING);
      const healthy = await CustomerWebhook.at(receiver, '/rollback/healthy');
      const before = await outputsOf(place, 'local');
      const stop = deliverUntilStopped(healthy);

      const { code, output } = await deploy({ CHANGED_VERSION: '9.9.9', CHANGE_FAILS: 'yes' });
      const delivered = await stop();

      expect(code, output).not.toBe(0);
      expect(await statusOfService()).toBe('UPDATE_ROLLBACK_COMPLETE');
      expect(await outputsOf(place, 'local')).toEqual(before);
      expect(new Set(await failed.pending())).toEqual(new Set(ids));
      expect(await versionsThatReplay(failed, '/rollback/failed', events)).toEqual([NEW_VERSION]);
      expect(delivered).toBeGreaterThan(3);
    },
    2 * DEPLOYMENT_MS,
  );
});
