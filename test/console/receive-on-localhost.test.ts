import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, inject, it } from 'vitest';
import { visits } from '../support/console/visit.ts';
import { endpoints } from '../support/console/webhook-under-test.ts';

const browser = visits();
const endpoint = endpoints();

/** The first line that a shell prints for the commands, in a new folder. */
const firstLineOf = async (commands: string): Promise<string> => {
  const cwd = await mkdtemp(join(tmpdir(), 'pasted-'));
  const shell = spawn('bash', ['-c', commands.replace(/^node /m, 'exec node ')], {
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(createInterface(shell.stdout), 'line');
  shell.kill('SIGINT');
  await once(shell, 'close');
  await rm(cwd, { recursive: true });
  return line;
};

describe('a member', () => {
  it('copies commands that receive a webhook’s events on localhost', async () => {
    const webhook = await endpoint.register();
    const { context, page, signIn, look } = await browser.begin();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn('member', `${webhook.path}?tab=verify`);
    await page.getByLabel('Verification with ').waitFor();
    await page.getByRole('heading', { name: 'Receive on localhost' }).scrollIntoViewIfNeeded();
    await look('receive-on-localhost');

    await page.getByRole('button', { name: 'Copy the commands' }).click();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    const { adminToken } = inject('service');
    const filledIn = copied
      .replace('SERVICE_TOKEN=…', `SERVICE_TOKEN=${adminToken}`)
      .replace('WEBHOOK_SECRET=…', 'WEBHOOK_SECRET=of-my-own-receiver');

    const id = webhook.id.split('/').at(-1);
    expect(await firstLineOf(filledIn)).toBe(
      `Posting the events of webhook ${id} (active) to http://localhost:3000/hooks`,
    );
  });

  it('reads the verification sample of the framework that they choose', async () => {
    const webhook = await endpoint.register();
    const { page, signIn, look } = await browser.begin();
    await signIn('member', `${webhook.path}?tab=verify`);

    await page.getByRole('button', { name: /^Framework/ }).click();
    await look('frameworks');
    // Opening the navigation again has closed the list.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Framework/ }).click();
    await page.getByRole('option', { name: 'Flask' }).click();

    const sample = page.getByLabel('Verification with Flask');
    expect(await sample.textContent()).toContain('hmac.compare_digest');
  });
});
