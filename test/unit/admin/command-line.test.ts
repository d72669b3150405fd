import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../../admin/connection.ts';
import { faultLine } from '../../../admin/fault-line.ts';
import type { Target } from '../../../admin/target.ts';
import {
  commandLineInMemory,
  commandLineOver,
} from '../../support/directory/command-line-in-memory.ts';

describe('the operator’s command line', () => {
  it('brings a customer from account to token', async () => {
    const { run, directory } = commandLineInMemory({ '-': 'Ada\r\nAcme\n' });
    await run('accounts', 'create', 'acme');
    await run('accounts', 'create', 'acme-sms', '--parent', 'acme');
    await run('users', 'create', 'ada', '--account', 'acme-sms');
    await run('signatures', 'set', 'ada', '-');
    const issued = await run('tokens', 'issue', '--user', 'ada', '--role', 'member', '--json');
    expect(JSON.parse(issued.out)).toMatchObject({
      token: expect.stringMatching(/^mst_/),
      account: 'acme',
      role: 'member',
    });
    expect(await directory.signatures.findSignature('ada')).toEqual({
      account: 'acme',
      content: 'Ada\r\nAcme',
    });
  });

  it('shows a token when it is issued, and never again', async () => {
    const { run, directory } = commandLineInMemory();
    await run('accounts', 'create', 'acme');
    await run('users', 'create', 'ada', '--account', 'acme', '--role', 'admin');
    const { out } = await run('tokens', 'issue', '--user', 'ada', '--role', 'admin');
    const token = /mst_\S+/.exec(out)?.[0] ?? '';
    expect(token).toHaveLength(47);
    const [stored] = await directory.tokens.listOf('acme');
    const id = stored?.id ?? '';
    const later = await Promise.all([
      run('tokens', 'list', '--account', 'acme'),
      run('tokens', 'list', '--account', 'acme', '--json'),
      run('tokens', 'revoke', id, '--account', 'acme', '--json'),
    ]);
    for (const { out, exitCode } of later) {
      expect(exitCode).toBe(0);
      expect(out).toContain(id);
      expect(out).not.toContain(token);
      expect(out).not.toContain(stored?.hash);
    }
  });

  it('lists the organisations page by page, without the accounts below them', async () => {
    const { run } = commandLineInMemory();
    expect((await run('accounts', 'list')).out).toBe('No accounts.\n');
    for (const name of ['acme', 'beta']) await run('accounts', 'create', name);
    await run('accounts', 'create', 'acme-sms', '--parent', 'acme');
    const first = await run('accounts', 'list', '--limit', '1');
    expect(first.out).toMatch(/^ACCOUNT .*\nacme +- .*\nMore: add --after acme\n$/);
    const second = await run('accounts', 'list', '--after', 'acme', '--json');
    expect(JSON.parse(second.out)).toEqual({
      accounts: [{ name: 'beta', primaryAccount: 'beta', createdAt: expect.any(String) }],
    });
  });

  it('lists accounts, users and tokens in tables, and empty lists in words', async () => {
    const { run } = commandLineInMemory();
    await run('accounts', 'create', 'acme');
    await run('accounts', 'create', 'acme-sms', '--parent', 'acme');
    const accounts = await run('accounts', 'list', '--account', 'acme');
    expect(accounts.out).toMatch(/^ACCOUNT +PARENT +CREATED\nacme +- .*\nacme-sms +acme .*\n$/);
    expect((await run('users', 'list', '--account', 'acme')).out).toBe('No users.\n');
    expect((await run('tokens', 'list', '--account', 'acme')).out).toBe('No tokens.\n');
    await run('users', 'create', 'ada', '--account', 'acme', '--role', 'admin');
    const users = await run('users', 'list', '--account', 'acme');
    expect(users.out).toMatch(/^USER +ROLE +EMAIL +CREATED\nada +admin +- +\S+\n$/);
    await run('tokens', 'issue', '--user', 'ada', '--role', 'admin', '--name', 'the shop');
    const tokens = await run('tokens', 'list', '--account', 'acme');
    expect(tokens.out).toMatch(
      / LAST USED +EXPIRES +REVOKED +NAME\n\S+ +ada +admin +\S+ +- +- +- +the shop\n$/,
    );
  });

  it('issues a token that expires, and refuses what is no instant', async () => {
    const { run } = commandLineInMemory();
    await run('accounts', 'create', 'acme');
    await run('users', 'create', 'ada', '--account', 'acme');
    const issue = (expires: string) =>
      run('tokens', 'issue', '--user', 'ada', '--role', 'member', '--expires', expires);

    expect((await issue('2100-01-01T01:00:00+01:00')).out).toMatch(
      /expires:? +2100-01-01T00:00:00.000Z/,
    );
    expect((await issue('tomorrow')).error).toContain('It must be an instant');
    expect((await issue('2020-01-01T00:00:00Z')).error).toContain('must expire later than now');
  });

  it('takes the deployment from its options, wherever they stand', async () => {
    const { run, connections } = commandLineInMemory();
    const options = ['--stage', 'dev'];
    await run(...options, 'accounts', 'create', 'acme');
    await run('accounts', 'create', 'beta', ...options);
    expect(connections).toEqual(['dev', 'dev']);
  });

  it('says on one line why something cannot be done, and exits with 1', async () => {
    const { run } = commandLineInMemory();
    expect(await run('accounts', 'show', 'acme')).toEqual({
      exitCode: 1,
      out: '',
      error: 'error: There is no account "acme".\n',
    });
  });

  it.each([
    ['frobnicate'],
    ['accounts'],
    ['accounts', 'destroy', 'acme'],
    ['accounts', 'create'],
    ['accounts', 'create', 'acme', 'beta'],
    ['users', 'create', 'ada'],
    ['users', 'create', 'ada', '--account', 'acme', '--role', 'boss'],
    ['tokens', 'issue', '--user', 'ada', '--role', 'boss'],
    ['tokens', 'list', '--acount', 'acme'],
    ['accounts', 'list', '--limit', '0'],
    ['users', 'list'],
    ['users', 'remove'],
    ['users', 'identify', 'ada', '--issuer', 'https://id.example.com'],
    ['users', 'create', 'ada', '--account', 'acme', '--sign-in'],
    ['users', 'show'],
    ['users', 'email', 'ada'],
    ['integrations', 'list'],
    ['integrations', 'list', '--account', 'acme', '--all'],
    ['integrations', 'list', '--account', 'acme', '--status', 'sad'],
    ['integrations', 'list', '--all', '--limit', '0'],
    ['integrations', 'list', '--account', 'acme', '--limit', '5'],
    ['integrations', 'list', '--account', 'acme', '--after', 'acme/0123456789Ab'],
    ['accounts', 'list', '--account', 'acme', '--limit', '5'],
    ['accounts', 'list', '--account', 'acme', '--after', 'acme'],
    ['dead-letters', 'list', '--reason', 'x', '--without-reason'],
    ['integrations', 'show', '0123456789Ab'],
    ['deliveries', 'show', 'evt_1', '--account', 'acme'],
    ['dead-letters', 'list', '--queue', 'nope'],
    ['dead-letters', 'list', '--limit', '100001'],
    ['stage', 'status', 'extra'],
    ['events', 'send'],
    ['events', 'send', '--account', 'acme'],
    ['events', 'send', '--type', 'contact.created'],
    ['events', 'send', '--account', 'acme', '--type', 'contact.created', '--data', '{'],
    ['events', 'send', '--file', 'event.json', '--account', 'acme'],
  ])('exits with 2 and points to the help for: %s %s %s', async (...words) => {
    const { run, connections } = commandLineInMemory();
    const { exitCode, out, error } = await run(...words);
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(error).toContain('--help');
    expect(connections).toEqual([]);
  });

  const COMMANDS = {
    accounts: ['create', 'show', 'list'],
    users: ['create', 'email', 'identify', 'list', 'remove', 'show'],
    integrations: ['list', 'show'],
    deliveries: ['show'],
    'dead-letters': ['list'],
    stage: ['status', 'verify'],
    signatures: ['set'],
    tokens: ['issue', 'list', 'revoke'],
    events: ['send'],
  };

  it.each([
    [],
    ...Object.entries(COMMANDS).flatMap(([group, verbs]) => [
      [group],
      ...verbs.map((verb) => [group, verb]),
    ]),
  ])('explains itself with an example: %s %s --help', async (...words) => {
    const { exitCode, out } = await commandLineInMemory().run(...words, '--help');
    expect(exitCode).toBe(0);
    expect(out).toContain(['  npm run admin --', ...words].join(' '));
  });
});

const targetAt = (server: Server): Target => {
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  return {
    stage: 'dev',
    place: endpoint,
    clientConfig: { endpoint, region: 'us-east-1', credentials },
  };
};

/** An AWS endpoint that gives every request the same answer. */
const startEndpoint = async (status: number, body: string): Promise<Server> => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'text/xml', connection: 'close' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return server;
};

const describeStacks = (outputs: string): string =>
  `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>s</StackName>
   <CreationTime>2026-11-20T12:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus>
   <Outputs>${outputs}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;

const validationError = (message: string): string =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code>
   <Message>${message}</Message></Error></ErrorResponse>`;

const showAccount = (target: Target) =>
  commandLineOver(async () => connect(target))('accounts', 'show', 'acme');

describe('a fault of the operator’s command line is one line on stderr', () => {
  it('when nothing answers', async () => {
    const server = await startEndpoint(200, '');
    const target = targetAt(server);
    server.close();
    await once(server, 'close');
    const { exitCode, error } = await showAccount(target);
    expect(exitCode).toBe(1);
    expect(error).toMatch(/^error: Nothing answers in http:\S+ \(ECONNREFUSED\)[^\n]*\n$/);
  });

  it('when there is no such stack', async () => {
    const server = await startEndpoint(
      400,
      validationError('Stack with id integrations-dev-state does not exist'),
    );
    const { exitCode, error } = await showAccount(targetAt(server));
    expect(exitCode).toBe(1);
    expect(error).toMatch(
      /^error: There is no stack integrations-dev-state [^\n]*--stage[^\n]*\n$/,
    );
  });

  it('when the stack does not tell the table’s name', async () => {
    const server = await startEndpoint(200, describeStacks(''));
    const { exitCode, error } = await showAccount(targetAt(server));
    expect(exitCode).toBe(1);
    expect(error).toMatch(/^error: Stack \S+ has no output DirectoryTableName [^\n]*\n$/);
  });

  it('when CloudFormation refuses for another reason, which it then gives', async () => {
    const server = await startEndpoint(400, validationError('1 validation error\ndetected'));
    const { exitCode, error } = await showAccount(targetAt(server));
    expect(exitCode).toBe(1);
    expect(error).toBe('error: ValidationError: 1 validation error detected\n');
  });

  it.each([
    ['CredentialsProviderError', 'Could not load credentials', /credentials.*AWS_PROFILE/],
    ['ResourceNotFoundException', 'Requested resource not found', /A table does not exist in AWS/],
    ['QueueDoesNotExist', 'The specified queue does not exist.', /A queue does not exist in AWS/],
    ['Error', 'Region is missing', /AWS_REGION/],
  ])('when the SDK says %s: %s', (name, message, line) => {
    const target: Target = { stage: 'dev', place: 'AWS', clientConfig: {} };
    const fault = Object.assign(new Error(message), { name });
    expect(faultLine(fault, target)).toMatch(line);
  });
});
