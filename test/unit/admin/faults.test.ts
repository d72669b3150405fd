import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { faultLine, runCommandLine } from '../../../admin/command-line.ts';
import { connect } from '../../../admin/connection.ts';
import type { Target } from '../../../admin/target.ts';

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

const showAccount = async (target: Target) => {
  let error = '';
  const exitCode = await runCommandLine(['accounts', 'show', 'acme'], {
    connect: async (_where, known) => connect(target, known),
    readText: async () => '',
    confirm: async () => false,
    newEventId: () => 'evt_1',
    now: () => new Date(0),
    writeOut: () => {},
    writeError: (text) => {
      error += text;
    },
  });
  return { exitCode, error };
};

describe('what keeps the operator’s command line from its work is one line on stderr', () => {
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
    ['ResourceNotFoundException', 'Requested resource not found', /--directory-table/],
    ['QueueDoesNotExist', 'The specified queue does not exist.', /--events-queue-url/],
    ['Error', 'Region is missing', /AWS_REGION/],
  ])('when the SDK says %s: %s', (name, message, line) => {
    const target: Target = { stage: 'dev', place: 'AWS', clientConfig: {} };
    const fault = Object.assign(new Error(message), { name });
    expect(faultLine(fault, target)).toMatch(line);
  });
});
