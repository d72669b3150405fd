import { readFile } from 'node:fs/promises';
import {
  CognitoIdentityProviderClient,
  ListUsersCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { cdk, DEPLOYMENT_MS, resourcesOf } from '../support/emulator/commands.ts';
import { apiAt, type Outputs, outputsOf } from '../support/emulator/deployed-stage.ts';
import { createDocumentedAnswers } from '../support/journey/documented-answers.ts';
import { paste, stepsOf } from '../support/journey/pasted-steps.ts';
import { awsClientConfigOf, type Platform, platformOf } from '../support/journey/platform-of.ts';
import { expectProblem } from '../support/journey/problems.ts';

const place = inject('place');

let printed: string;
let outputs: Outputs;
let platform: Platform;

beforeAll(async () => {
  const steps = stepsOf(await readFile('README.md', 'utf8'));
  const chapter = steps.filter(({ heading }) => heading === 'Deploy it to AWS');
  [printed = ''] = await paste(chapter, { deadlineMs: 2 * DEPLOYMENT_MS });
  outputs = await outputsOf(place, 'dev');
  const service = {
    ...place,
    api: apiAt(place.aws, outputs.ApiUrl ?? ''),
    eventsQueueUrl: outputs.EventsQueueUrl ?? '',
    account: 'acme',
    adminToken: /mst_[\w-]{43}/.exec(printed)?.[0] ?? '',
  };
  platform = platformOf(service, { checkAnswer: createDocumentedAnswers(service.api) });
}, 2 * DEPLOYMENT_MS);

const webhook = {
  active: true,
  provider: 'webhook',
  config: { baseUrl: 'https://hooks.invalid/in' },
  settings: {},
};

const register = () => platform.call('POST', '/acme/integrations', { body: webhook });

describe("README's way to a deployed stage", () => {
  it('tells where the API and the web console are', () => {
    expect(outputs.ApiUrl).toMatch(/^https:\/\/\w+\.execute-api\.[\w-]+\.amazonaws\.com\/dev$/);
    expect(outputs.ConsoleUrl).toMatch(/^https:\/\/\w+\.cloudfront\.net$/);
  });

  it('invites the first admin', async () => {
    const client = new CognitoIdentityProviderClient(awsClientConfigOf(place));
    const list = new ListUsersCommand({ UserPoolId: outputs.UserPoolId });
    const { Users = [] } = await client.send(list);

    const attributes = Users.flatMap(({ Attributes = [] }) => Attributes);
    expect(attributes).toContainEqual({ Name: 'email', Value: 'you@example.com' });
  });

  it('gives a token that says who calls', async () => {
    const { status, document } = await platform.call('GET', '/me');

    expect(status).toBe(200);
    expect(document).toMatchObject({
      user: '/users/u_1',
      account: '/accounts/acme',
      role: 'admin',
    });
  });
});

describe('The API of a deployed stage', () => {
  it('creates, lists, reads, changes and deletes a webhook', async () => {
    const created = await register();
    const path = String(created.document.id);
    const list = await platform.call('GET', '/acme/integrations');
    const read = await platform.call('GET', path);
    const ifMatch = { 'If-Match': read.headers.get('etag') ?? '' };
    const changed = await platform.call('PATCH', path, {
      body: { active: false },
      headers: ifMatch,
    });
    const late = await platform.call('PATCH', path, { body: { active: true }, headers: ifMatch });
    const deleted = await platform.call('DELETE', path);
    const gone = await platform.call('GET', path);

    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(path);
    expect(list.document.member).toContainEqual(expect.objectContaining({ id: path }));
    expect(read.document).toMatchObject({ id: path, config: { webhookSecret: '[FILTERED]' } });
    expect([changed.status, changed.document.status]).toEqual([200, 'inactive']);
    expectProblem(late, 412, 'precondition-failed');
    expect(deleted.status).toBe(204);
    expectProblem(gone, 404, 'not-found');
  });

  it.each([
    'https://127.0.0.1/in',
    'https://[::1]/in',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/in',
  ])('refuses a webhook at %s', async (baseUrl) => {
    const body = { ...webhook, config: { baseUrl } };

    const reply = await platform.call('POST', '/acme/integrations', { body });

    expectProblem(reply, 422, 'validation');
    expect(reply.document.errors).toContainEqual(
      expect.objectContaining({ pointer: '/config/baseUrl' }),
    );
  });

  it('refuses what it must', async () => {
    const nobody = await platform.call('GET', '/me', { token: undefined });
    const stranger = await platform.call('GET', '/me', { token: `mst_${'x'.repeat(43)}` });
    const notJson = await platform.call('POST', '/acme/integrations', { body: '{' });
    const headers = { 'Content-Type': 'text/plain' };
    const notOurs = await platform.call('POST', '/acme/integrations', { body: 'x', headers });
    const otherAccount = await platform.call('GET', '/umbrella/integrations');
    const nothing = await platform.call('GET', '/no/such/route');

    expectProblem(nobody, 401, 'unauthorized');
    expectProblem(stranger, 401, 'unauthorized');
    expectProblem(notJson, 400, 'malformed-json');
    expectProblem(notOurs, 415, 'unsupported-media-type');
    expectProblem(otherAccount, 404, 'not-found');
    expectProblem(nothing, 404, 'not-found');
  });

  it('tells of an attempt that reached nobody', async () => {
    const { document } = await register();
    const event = platform.sampleEvent({ account: 'acme' });
    await platform.publish(event);

    const read = () => platform.call('GET', `${document.id}/deliveries/${event.id}`);
    await expect
      .poll(async () => (await read()).document.outcome, { interval: 500 })
      .toBe('transient');
  });
});

describe('A stage that is destroyed', () => {
  it('leaves nothing behind', { timeout: DEPLOYMENT_MS }, async () => {
    const before = await resourcesOf('dev');

    const { code, output } = await cdk(['destroy', '--all', '--force', '-c', 'stage=dev']);

    expect(Object.keys(before)).toEqual(
      expect.arrayContaining(['functions', 'keys', 'log groups', 'queues', 'stacks', 'tables']),
    );
    expect(code, output).toBe(0);
    expect(await resourcesOf('dev')).toEqual({});
  });
});
