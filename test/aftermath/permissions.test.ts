import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AccessMade, accessLogIn } from '../../local/iam/access-guard.ts';
import { statementsOf } from '../../local/iam/statements.ts';
import { readAssembly } from '../../local/template/assembly.ts';
import { resolveStacks } from '../../local/template/stacks.ts';
import { LOGGED_RUNS } from '../support/journey/service-under-test.ts';

/** What the journeys may never make a function do, and what it is for all the same. */
const SELDOM_SEEN: readonly RegExp[] = [
  // Lambda itself writes logs, and reads queues and streams, with a function's role.
  / logs:/,
  / sqs:(ReceiveMessage|DeleteMessage|GetQueueAttributes) /,
  / dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams) /,
  // After a fault: a message that nobody can read, a record that comes back.
  / sqs:SendMessage \S+DeadLetterQueue/,
  / sqs:ChangeMessageVisibility /,
  // What a batch left undone is read and written one by one.
  / dynamodb:(GetItem|PutItem) \S+(PendingEvents|DeliveryLog|Directory)/,
  / dynamodb:Query \S+DeliveryLog/,
  // One of the functions that seal makes the key pair for all.
  / kms:GenerateDataKeyPairWithoutPlaintext /,
  / dynamodb:PutItem \S+KeyPairs/,
  // A replay removes one by one what a batch left undone.
  /RunReplay\S+ dynamodb:DeleteItem \S+PendingEvents/,
  // The slow lane does what the fast lane does, with fewer deliveries.
  /DeliverSlowly\S+ dynamodb:(DeleteItem|UpdateItem) \S+PendingEvents/,
  // Two at once: an event is stored while the trouble ends, a token is revoked while it is issued.
  /Deliver(Webhook|Slowly)\S+ (sqs:SendMessage|scheduler:\w+Schedule) /,
  /RunReplay\S+ sqs:SendMessage \S+Replays/,
  /Create(Integration|AccessToken)\S+ dynamodb:(DeleteItem|UpdateItem) \S+Directory/,
];

const readAccess = async (stateDirectory: string): Promise<AccessMade[]> =>
  (await readFile(accessLogIn(stateDirectory), 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** `<function> <action> <resource>` for each grant of the run's template. */
const readGrants = async (stateDirectory: string) => {
  const stacks = resolveStacks(await readAssembly(join(stateDirectory, 'cdk.out')), {
    awsOrigin: 'http://127.0.0.1:1',
    apiOrigin: 'http://127.0.0.1:2',
  });
  const resources = stacks.flatMap((stack) => stack.resources);
  const statements = statementsOf(resources);
  return resources
    .filter(({ type }) => type === 'AWS::Lambda::Function')
    .flatMap(({ name, properties }) =>
      (statements.get(String(properties.Role)) ?? []).flatMap((statement) =>
        statement.Action.flatMap((action) =>
          statement.Resource.map((resource) => `${name} ${action} ${resource}`),
        ),
      ),
    );
};

describe('The permissions of the functions in the journeys', () => {
  const runs = LOGGED_RUNS.filter((directory) => existsSync(accessLogIn(directory)));

  it.skipIf(runs.length === 0)('denied nothing', async () => {
    const made = (await Promise.all(runs.map(readAccess))).flat();

    expect(made.filter(({ isAllowed }) => !isAllowed)).toEqual([]);
    expect(made.length).toBeGreaterThan(50);
  });

  // What the journeys do at once is a matter of luck: too much of it to fail a change of something else.
  it.skipIf(runs.length === 0 || !process.env.LONG)(
    'were all used, or are known to be needed',
    async () => {
      const [directory = ''] = runs;
      const made = (await Promise.all(runs.map(readAccess))).flat();
      const used = new Set(
        made.map(({ caller, action, resource }) => `${caller} ${action} ${resource}`),
      );

      const unused = (await readGrants(directory)).filter((grant) => !used.has(grant));

      expect(unused.filter((grant) => !SELDOM_SEEN.some((known) => known.test(grant)))).toEqual([]);
    },
  );
});
