import { cp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { createDelivery } from '../../core/delivery/route-event.ts';
import { EVENT_CATALOGUE } from '../../core/event/event-catalogue.ts';
import { CLIENTS, type Client } from '../support/clients/clients.ts';
import { newCustomer } from '../support/journey/customer-webhook.ts';
import { missingTool, runInShell } from '../support/receivers/shell.ts';

/** Package managers fetch everything from their registries at first. */
const STEP_MS = 900_000;

const { api } = inject('service');

const EVENT = {
  id: 'evt_1',
  type: 'message.received',
  account: 'acme',
  occurredAt: '2026-11-20T12:00:00.000Z',
  data: EVENT_CATALOGUE['message.received'].sample,
} as const;

/** The body of a webhook, as a later version of the service may send it. */
const DELIVERY = JSON.stringify({
  ...JSON.parse(createDelivery(EVENT, '8Fq2LmZ0aBcD').body),
  added: { later: true },
});

const TOLD = [
  'created https://hooks.example.com/in',
  'listed 1',
  'read active',
  'patched inactive',
  'refused 422 /config/baseUrl',
  'deleted 204',
  `received ${EVENT.data.message.body}`,
];

const isTold = (line: string): boolean => /^[a-z]+ed |^read /.test(line);

/** A copy of the client's folder, without what an earlier run generated. */
const copyOf = async ({ name, folder }: Client): Promise<string> => {
  const copy = resolve('.local/generated-clients', name);
  await rm(copy, { recursive: true, force: true });
  await cp(folder, copy, { recursive: true });
  return copy;
};

describe.each(CLIENTS)('$name', (client) => {
  let cwd: string | undefined;
  const [first, second] = client.commands;

  const run = (command: string, env: Record<string, string> = {}): Promise<string> => {
    if (cwd === undefined) throw new Error(`${client.name} is not installed.`);
    const PATH = `${join(cwd, '.venv/bin')}:${process.env.PATH}`;
    return runInShell(command, { cwd, timeoutMs: STEP_MS, env: { ...env, PATH, API: api } });
  };

  it('is installed', { timeout: STEP_MS }, async ({ skip }) => {
    const missing = await missingTool(client.toolchain);
    if (missing !== undefined) {
      skip(`CLIENT ${client.name} WAS NOT TESTED: \`${missing}\` fails. Install it.`);
    }
    cwd = await copyOf(client);
    if (client.prepare !== undefined) await run(client.prepare);
    await run(first);
  });

  it('is generated', { timeout: STEP_MS }, async ({ skip }) => {
    if (cwd === undefined) skip();
    await run(second);
  });

  it('compiles', { timeout: STEP_MS }, async ({ skip }) => {
    if (cwd === undefined) skip();
    if (client.build !== undefined) await run(client.build);
  });

  it('uses the API, and reads a webhook', { timeout: STEP_MS }, async ({ skip }) => {
    if (cwd === undefined) skip();
    const { account, tokens } = await newCustomer();
    const output = await run(client.run, { ACCOUNT: account, TOKEN: tokens.admin, DELIVERY });
    expect(stripVTControlCharacters(output).split('\n').filter(isTold)).toEqual(TOLD);
  });
});
