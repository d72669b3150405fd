import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { newCustomer } from '../support/journey/customer-webhook.ts';
import { admin } from '../support/journey/platform.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { DeliveriesTo, isAuthentic } from '../support/receiver/received-deliveries.ts';

const receiver = await receiverOfFile();

const folder = await mkdtemp(join(tmpdir(), 'import-'));
afterAll(() => rm(folder, { recursive: true }));

it('An imported integration signs with the secret of its line', async () => {
  const customer = await newCustomer();
  const webhookSecret = 'a secret of the old service';
  const line = {
    account: customer.account,
    active: true,
    provider: 'webhook',
    config: { baseUrl: receiver.url('/imported'), webhookSecret },
    settings: {},
  };
  const signature = {
    '@type': 'Signature',
    id: `/users/${customer.user}/signature`,
    content: 'Ada, Acme Inc.',
  };
  const file = join(folder, 'customers.jsonl');
  await writeFile(file, `${JSON.stringify(line)}\n${JSON.stringify(signature)}\n`);
  const importFile = (...options: string[]) => admin('integrations', 'import', file, ...options);

  expect(await importFile('--dry-run')).toMatchObject({ dryRun: true, added: 2, failed: 0 });
  expect(await importFile()).toMatchObject({ added: 2, existed: 0 });
  expect(await importFile()).toMatchObject({ added: 0, existed: 2 });

  const deliveries = new DeliveriesTo(receiver, '/imported');
  const event = customer.sampleEvent();
  await customer.publish(event);
  await deliveries.each([event]);
  expect(deliveries.all.map((request) => isAuthentic(request, webhookSecret))).toEqual([true]);
  const read = await customer.call('GET', signature.id);
  expect(read.document).toMatchObject({ content: 'Ada, Acme Inc.' });
});

it('A line that is not UTF-8 fails alone', async () => {
  const { account } = await newCustomer();
  const lineOf = (description: string) =>
    JSON.stringify({
      account,
      description,
      active: false,
      provider: 'webhook',
      config: { baseUrl: receiver.url('/utf-8'), webhookSecret: 'a secret of the old service' },
      settings: {},
    });
  const file = join(folder, 'latin-1.jsonl');
  const lines = [Buffer.from(lineOf('Köln'), 'latin1'), Buffer.from(lineOf('Zürich'))];
  await writeFile(file, Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')])));

  const imported = await admin('integrations', 'import', file).catch(({ stdout }) =>
    JSON.parse(stdout),
  );
  expect(imported.lines).toMatchObject([
    { line: 1, result: 'failed', errors: [{ pointer: '/description' }] },
    { line: 2, result: 'added' },
  ]);
});
