import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AccessMade, accessLogIn } from 'local-aws/iam/access-guard.ts';
import { statementsOf } from 'local-aws/iam/statements.ts';
import { readAssembly } from 'local-aws/template/assembly.ts';
import { resolveStacks } from 'local-aws/template/stacks.ts';
import { describe, expect, it } from 'vitest';
import { LOGGED_RUNS } from '../support/journey/service-under-test.ts';

/** Permissions that are needed, though the journeys may not use them. */
const SELDOM_SEEN: readonly RegExp[] = [
  // Lambda itself writes logs, and reads queues and streams, with a function's role.
  / logs:/,
  / sqs:(ReceiveMessage|DeleteMessage|GetQueueAttributes) /,
  / dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams) /,
  /CountAttempts\S+ kms:Decrypt /,
  // After a fault: an unreadable message, a record that is received again.
  / sqs:SendMessage \S+DeadLetterQueue/,
  / sqs:ChangeMessageVisibility /,
  // Items that a batch left unprocessed are read and written one by one.
  / dynamodb:(GetItem|PutItem) \S+(PendingEvents|DeliveryLog|DeliveryIndex|Directory)/,
  / dynamodb:Query \S+DeliveryLog/,
  // One of the functions that seal makes the key pair for all.
  / kms:GenerateDataKeyPairWithoutPlaintext /,
  / dynamodb:PartiQLInsert \S+KeyPairs/,
  // A replay removes one by one the items that a batch left unprocessed.
  /RunReplay\S+ dynamodb:DeleteItem \S+PendingEvents/,
  // The slow lane does what the fast lane does, with fewer deliveries.
  /DeliverSlowly\S+ dynamodb:(DeleteItem|UpdateItem) \S+PendingEvents/,
  // Two at once: an event is stored while the trouble ends, a user is removed who gets a token.
  /Deliver(Webhook|Slowly)\S+ (sqs:SendMessage|scheduler:\w+Schedule) /,
  /RunReplay\S+ sqs:SendMessage \S+Replays/,
  /ChangeApi\S+ dynamodb:DeleteItem \S+Directory/,
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

  // Which calls race in the journeys differs from run to run, so only a release check depends on it.
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
