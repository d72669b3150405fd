import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CANARY_INTEGRATION } from '../../core/delivery/canary.ts';
import { keepsEvents } from '../../core/integration/integration.ts';
import { troubled } from '../support/delivery/trouble/troubled.ts';
import { commandLineInMemory } from '../support/directory/command-line-in-memory.ts';
import { anIntegration } from '../support/integration/integrations.ts';
import { synthesiseWithMail } from './template.ts';

/** The commands of a page, in blocks for the shell and in its text, each on one line. */
const commandsIn = (page: string): readonly string[] => {
  const text = readFileSync(page, 'utf8');
  const blocks = [...text.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].flatMap(([, block = '']) =>
    block.replaceAll(/ *\\\n */g, ' ').split('\n'),
  );
  const inText = [...text.replaceAll(/^ *```.*?^ *```$/gms, '').matchAll(/`([^`]+)`/g)];
  return [...blocks, ...inText.map(([, code = '']) => code.replaceAll(/\s+/g, ' '))].map((line) =>
    line.trim(),
  );
};

const ON_CALL = commandsIn('docs/operators/on-call.md');

const ID = '0123456789Ab';

/** A stage in which everything that an operator looks for is there. */
const aStage = async () => {
  const line = commandLineInMemory(
    {},
    { status: { stacks: [], queues: [], ages: new Map(), alarms: [] } },
  );
  const { answers, deadLetters, directory, integrations, run } = line;
  await run('accounts', 'create', 'acme');
  await run('users', 'create', 'ada', '--account', 'acme', '--role', 'admin');
  await run('tokens', 'issue', '--user', 'ada', '--role', 'admin');
  await integrations.add({ ...troubled('failed'), account: 'acme', id: ID });
  await integrations.add(anIntegration(CANARY_INTEGRATION));
  for (const queue of Object.values(deadLetters)) {
    queue.put({ text: '{}', attributes: {} });
    queue.put({ text: '?', attributes: { reason: REASON } });
  }
  answers.push(true);
  const [token] = await directory.tokens.listOf('acme');
  const integration = async () => (await integrations.find('acme', ID)) ?? anIntegration();
  return { ...line, integration, tokenId: token?.id ?? '' };
};

const REASON = { dataType: 'String', stringValue: 'the message is JSON: is not JSON' };

type Stage = Awaited<ReturnType<typeof aStage>>;

const shows = (pattern: RegExp) =>
  [(_: Stage, out: string) => out, expect.stringMatching(pattern)] as const;

/** Each command of the page, with a look at its effect, and what is seen. */
const EFFECTS: Readonly<
  Record<string, readonly [(stage: Stage, out: string) => unknown, unknown]>
> = {
  'stage status': shows(/STACK/),
  'stage verify': shows(/No check failed/),
  'stage make-schedules': [({ schedules }) => schedules.all.map(({ id }) => id), [ID]],
  'accounts list': shows(/^acme +-/m),
  'integrations list --account <account>': shows(/^0123456789Ab +failed/m),
  'integrations list --all --status failed': shows(/^acme +0123456789Ab +failed/m),
  'integrations show <id> --account <account>': shows(/status +failed/),
  'integrations show canary000000 --account _canary': shows(/integration +canary000000/),
  'integrations deactivate <id> --account <account> --keep': [
    async (stage) => keepsEvents(await stage.integration()),
    true,
  ],
  'integrations activate <id> --account <account>': [
    ({ replays }) => replays.requested,
    [expect.objectContaining({ id: ID })],
  ],
  'integrations recover <id> --account <account>': [
    async (stage) => (await stage.integration()).trouble,
    undefined,
  ],
  'integrations recover --all --status failed': [
    async (stage) => (await stage.integration()).trouble,
    undefined,
  ],
  'dead-letters list': shows(/is not JSON/),
  'dead-letters list --queue schedules': shows(/is not JSON/),
  'users show <user>': shows(/ada/),
  'users email <user> <address>': [
    async ({ directory }) => (await directory.users.find('ada'))?.email,
    'ada@example.com',
  ],
  'users remove <user>': [({ directory }) => directory.users.find('ada'), undefined],
  'tokens list --account <account>': shows(/^tok_/m),
  'tokens revoke <token> --account <account>': [
    async ({ directory }) => (await directory.tokens.listOf('acme'))[0]?.revokedAt,
    expect.any(String),
  ],
};

/** As a shell takes them, each in quotes or without. */
const wordsOf = (command: string): string[] =>
  [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([word, single, double]) => single ?? double ?? word,
  );

describe('The admin commands of docs/operators/on-call.md', () => {
  it('are those that are tried here', () => {
    const commands = ON_CALL.flatMap((line) => /^admin (.+)/.exec(line)?.[1] ?? []);

    expect([...new Set(commands)].toSorted()).toEqual(Object.keys(EFFECTS).toSorted());
  });

  it.each(Object.entries(EFFECTS))(
    'do what the page says: %s',
    async (command, [see, expected]) => {
      const stage = await aStage();
      const words: Readonly<Record<string, string>> = {
        '<account>': 'acme',
        '<address>': 'ada@example.com',
        '<id>': ID,
        '<token>': stage.tokenId,
        '<user>': 'ada',
      };
      const given = wordsOf(command).map((word) => words[word] ?? word);
      const { exitCode, out } = await stage.run(...given);

      expect(exitCode).toBe(0);
      expect(await see(stage, out)).toEqual(expected);
    },
  );
});

const PAGES = globSync('docs/operators/*.md');

it.each(PAGES)('The command line understands each admin command of %s', async (page) => {
  const { run } = await aStage();
  for (const line of commandsIn(page)) {
    const [, command = ''] = /^npm run (?:--silent )?admin -- ([^…]+)$/.exec(line) ?? [];
    const { exitCode } = await run(...wordsOf(command));
    if (command !== '') expect(exitCode, command).not.toBe(2);
  }
});

const stage = synthesiseWithMail('prod');

it('The on-call page moves and purges dead letters of queues that there are', () => {
  const outputs = stage.outputs('integrations-prod-service');
  const calls = ON_CALL.flatMap((line) => [
    ...line.matchAll(/(?:^|\$\()(letters|move|purge) ([A-Z]\w+)\)?/g),
  ]);
  const missing = calls.flatMap(([, verb, name]) => [
    ...(outputs.includes(`${name}DeadLetterQueueUrl`) ? [] : [`${verb} ${name}`]),
    ...(verb !== 'move' || outputs.includes(`${name}QueueUrl`) ? [] : [`${verb} ${name}`]),
  ]);

  expect(new Set(calls.map(([, verb]) => verb))).toEqual(new Set(['letters', 'move', 'purge']));
  expect(missing).toEqual([]);
});

/** Services without a client in this package. */
const UNCHECKED = ['backup', 'ce', 'deploy', 'iam', 'lambda', 'service-quotas'];

const CLIENTS: Readonly<Record<string, string>> = {
  'cognito-idp': 'cognito-identity-provider',
  events: 'eventbridge',
};

/** Options of the command line of AWS: the last is its name for the endpoint of a subscription. */
const GENERAL = ['query', 'output', 'region', 'notification-endpoint'];

/** A name of the SDK as the command line of AWS writes it. */
const kebab = (name: string): string =>
  name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase();

describe.each(PAGES)('The AWS commands of %s', (page) => {
  it('name what the template of prod has', () => {
    const named = commandsIn(page).flatMap((line) => [
      ...line.matchAll(/\$\((output|resource) (state|service) (\w+)\)/g),
    ]);
    const ids = stage.all().map(({ logicalId }) => logicalId);
    const missing = named.filter(([, kind, stack, name = '']) => {
      const names = kind === 'output' ? stage.outputs(`integrations-prod-${stack}`) : ids;
      return !names.includes(name);
    });

    expect(missing).toEqual([]);
  });

  const calls = commandsIn(page).flatMap((line) => [
    ...line.matchAll(/\baws ([a-z0-9-]+) ([a-z0-9-]+)([^\n]*?)(?=\baws |$)/g),
  ]);

  it('name operations and parameters that the service has', async () => {
    for (const [, service = '', operation = '', options = ''] of calls) {
      if (UNCHECKED.includes(service)) continue;
      const client: Readonly<Record<string, unknown>> = await import(
        `@aws-sdk/client-${CLIENTS[service] ?? service}`
      );
      const input = Object.entries(client).find(([name]) =>
        [`${operation}-request$`, `${operation}-input$`].includes(kebab(name)),
      );
      const members = (input?.[1] as unknown[] | undefined)?.[4] as string[] | undefined;
      expect(members, `${service} ${operation}`).toBeDefined();
      const given = [...options.matchAll(/ --(?:no-)?([a-z-]+)/g)].map(([, name = '']) => name);
      expect(
        given.filter((name) => !GENERAL.includes(name) && !members?.map(kebab).includes(name)),
        `${service} ${operation}`,
      ).toEqual([]);
    }
  });
});
