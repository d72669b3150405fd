import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SesMailer } from '../../adapters/ses/ses-mailer.ts';
import type { Mail } from '../../core/changes/notice-mail.ts';

const MAIL: Mail = {
  subject: 'Webhook hooks.example.com/ü failed',
  text: 'What to do: …\n',
  html: '<p>What to do: …</p>\n',
  unsubscribe: 'https://console.example.com/accounts/acme/settings',
};

/** SES as its API reference has it: `answer` has the status, and the error's type if there is one. */
const aMailer = async (answer: { status: number; type?: string } = { status: 200 }) => {
  const requests: { line: string; body: unknown }[] = [];
  const server = createServer(async (request, response) => {
    requests.push({ line: `${request.method} ${request.url}`, body: await json(request) });
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      ...(answer.type !== undefined && { 'x-amzn-errortype': answer.type }),
    });
    response.end(
      JSON.stringify(answer.type ? { message: 'of ada@example.com' } : { MessageId: 'm-1' }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const client = new SESv2Client({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
  onTestFinished(() => client.destroy());
  const mailer = new SesMailer(client, { from: 'webhooks@example.com', configurationSet: 'Mail' });
  return { mailer, requests };
};

describe('SES', () => {
  it('sends both parts of a mail, with the unsubscribe header', async () => {
    const { mailer, requests } = await aMailer();
    expect(await mailer.send('ada@example.com', MAIL)).toEqual({});
    const { subject, text, html } = MAIL;
    expect(requests).toEqual([
      {
        line: 'POST /v2/email/outbound-emails',
        body: {
          FromEmailAddress: 'webhooks@example.com',
          ConfigurationSetName: 'Mail',
          Destination: { ToAddresses: ['ada@example.com'] },
          Content: {
            Simple: {
              Subject: { Data: subject, Charset: 'UTF-8' },
              Body: {
                Text: { Data: text, Charset: 'UTF-8' },
                Html: { Data: html, Charset: 'UTF-8' },
              },
              Headers: [
                {
                  Name: 'List-Unsubscribe',
                  Value: '<https://console.example.com/accounts/acme/settings>',
                },
              ],
            },
          },
        },
      },
    ]);
  });

  it('gets no such header where there is no page', async () => {
    const { mailer, requests } = await aMailer();
    const { unsubscribe: _, ...mail } = MAIL;
    await mailer.send('ada@example.com', mail);
    expect(requests).toMatchObject([{ body: { Content: { Simple: { Headers: [] } } } }]);
  });

  it.each([
    [400, 'MessageRejected'],
    [400, 'BadRequestException'],
    [403, 'AccessDeniedException'],
  ])('refuses an address or a mail for good: %i %s', async (status, type) => {
    const { mailer } = await aMailer({ status, type });
    expect(await mailer.send('ada@example.com', MAIL)).toEqual({ refusedBecause: type });
  });

  it.each([
    [429, 'TooManyRequestsException'],
    [400, 'SendingPausedException'],
    [500, 'InternalServiceErrorException'],
  ])('may take the mail later, and no address is in the error: %i %s', async (status, type) => {
    const { mailer } = await aMailer({ status, type });
    const fault = await mailer.send('ada@example.com', MAIL).catch((thrown: unknown) => thrown);
    expect(fault).toBeInstanceOf(Error);
    expect((fault as Error).name).toBe(type);
    expect(String((fault as Error).stack)).not.toContain('ada@example.com');
  });

  it('may be unreachable', async () => {
    const client = new SESv2Client({
      endpoint: 'http://127.0.0.1:1',
      region: 'eu-central-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      maxAttempts: 1,
    });
    const mailer = new SesMailer(client, { from: 'a@example.com', configurationSet: 'Mail' });
    await expect(mailer.send('ada@example.com', MAIL)).rejects.toThrow();
  });
});
