// Reads the text of an incoming message from the body of a webhook, then uses the API.
import createClient from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

type Delivery = components['schemas']['WebhookDelivery'];

/** The text of an incoming message, from the body of a webhook. */
export const textIn = (body: string): string | undefined => {
  const delivery: Delivery = JSON.parse(body);
  return delivery.action === 'message.received' ? delivery.data.message.body : undefined;
};

const { API = '', TOKEN = '', ACCOUNT = '', DELIVERY = '' } = process.env;

const client = createClient<paths>({
  baseUrl: API,
  headers: { Authorization: `Bearer ${TOKEN}` },
});

const account = { path: { account_name: ACCOUNT } };

const created = await client.POST('/{account_name}/integrations', {
  params: account,
  body: {
    active: true,
    provider: 'webhook',
    config: { baseUrl: 'https://hooks.example.com/in' },
    settings: { actions: { 'message.received': true } },
  },
});
if (created.data === undefined) throw new Error(created.error.detail);
const id = created.data.id.split('/').at(-1) ?? '';
console.log('created', created.data.config.baseUrl);

const listed = await client.GET('/{account_name}/integrations', { params: account });
console.log('listed', listed.data?.member.length);

const one = { path: { id } };
const read = await client.GET('/integrations/{id}', { params: one });
console.log('read', read.data?.status);

const patched = await client.PATCH('/integrations/{id}', { params: one, body: { active: false } });
console.log('patched', patched.data?.status);

const refused = await client.PUT('/integrations/{id}', {
  params: one,
  body: {
    active: true,
    provider: 'webhook',
    config: { baseUrl: 'http://hooks.example.com' },
    settings: {},
  },
});
console.log('refused', refused.error?.status, refused.error?.errors?.[0]?.pointer);

const deleted = await client.DELETE('/integrations/{id}', { params: one });
console.log('deleted', deleted.response.status);

console.log('received', textIn(DELIVERY));
