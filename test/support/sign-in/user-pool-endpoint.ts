import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Target } from '../../../admin/target.ts';

interface CreateUser {
  readonly UserPoolId: string;
  readonly Username: string;
  readonly UserAttributes: readonly { readonly Name: string; readonly Value: string }[];
  readonly DesiredDeliveryMediums?: readonly string[];
}

export interface UserPoolEndpoint {
  readonly target: Target;
  /** What the pool was asked to create, refused requests included. */
  readonly creations: readonly CreateUser[];
  /** Puts a user into the pool without an invitation. */
  add(email: string, attributes: Readonly<Record<string, string>>): void;
  /** The addresses of the people in the pool. */
  people(): readonly string[];
}

/**
 * An AWS endpoint with the stacks of stage dev and a user pool: Cognito's AdminCreateUser,
 * AdminGetUser and AdminDeleteUser, as its API reference has them.
 */
export const startUserPoolEndpoint = async (
  outputs: Readonly<Record<string, Readonly<Record<string, string>>>>,
  poolId: string,
): Promise<UserPoolEndpoint> => {
  const creations: CreateUser[] = [];
  const users = new Map<string, Readonly<Record<string, string>>>();

  /** An e-mail address is an alias in the pool, and `sub` the username. */
  const remove = (subject: string): Answer => {
    const [email] = [...users].find(([, { sub }]) => sub === subject) ?? [];
    if (email !== undefined && users.delete(email)) return { status: 200, document: {} };
    const message = 'User does not exist.';
    return { status: 400, document: { __type: 'UserNotFoundException', message } };
  };

  const cognito = (operation: string, request: CreateUser): Answer => {
    if (request.UserPoolId !== poolId) {
      const message = `User pool ${request.UserPoolId} does not exist.`;
      return { status: 400, document: { __type: 'ResourceNotFoundException', message } };
    }
    if (operation === 'AdminDeleteUser') return remove(request.Username);
    const known = users.get(request.Username);
    if (operation === 'AdminGetUser') {
      return { status: 200, document: { UserAttributes: attributesOf(known ?? {}) } };
    }
    creations.push(request);
    if (known !== undefined) {
      const message = 'User account already exists';
      return { status: 400, document: { __type: 'UsernameExistsException', message } };
    }
    const given = request.UserAttributes.map(({ Name, Value }) => [Name, Value]);
    const attributes = { ...Object.fromEntries(given), sub: `sub-of-${request.Username}` };
    users.set(request.Username, attributes);
    return { status: 200, document: { User: { Attributes: attributesOf(attributes) } } };
  };

  const server = createServer(async (request, response) => {
    const body = await text(request);
    const [service, operation = ''] = String(request.headers['x-amz-target'] ?? '').split('.');
    response.setHeader('Connection', 'close');
    if (service === 'AWSCognitoIdentityProviderService') {
      const { status, document } = cognito(operation, JSON.parse(body));
      response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.1' });
      response.end(JSON.stringify(document));
    } else {
      const stack = outputs[new URLSearchParams(body).get('StackName') ?? ''];
      response.writeHead(stack === undefined ? 400 : 200, { 'Content-Type': 'text/xml' });
      response.end(stack === undefined ? NO_SUCH_STACK : describeStacks(stack));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  return {
    target: {
      stage: 'dev',
      place: endpoint,
      clientConfig: { endpoint, region: 'eu-central-1', credentials },
    },
    creations,
    add: (email, attributes) => {
      users.set(email, attributes);
    },
    people: () => [...users.keys()],
  };
};

interface Answer {
  readonly status: number;
  readonly document: unknown;
}

const attributesOf = (attributes: Readonly<Record<string, string>>) =>
  Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));

const NO_SUCH_STACK = `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code>
  <Message>Stack with id s does not exist</Message></Error></ErrorResponse>`;

const describeStacks = (outputs: Readonly<Record<string, string>>): string => {
  const members = Object.entries(outputs).map(
    ([key, value]) =>
      `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>s</StackName>
    <CreationTime>2026-11-20T12:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus>
    <Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult>
    </DescribeStacksResponse>`;
};
