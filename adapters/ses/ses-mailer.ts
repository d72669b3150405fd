import { type SESv2Client, SESv2ServiceException, SendEmailCommand } from '@aws-sdk/client-sesv2';
import type { Mail } from '../../core/changes/notice-mail.ts';
import type { Mailer } from '../../core/changes/send-notice.ts';

/** Errors about one address or one mail. In SES's sandbox an address that is not verified is rejected. */
const REFUSALS: ReadonlySet<string> = new Set([
  'AccessDeniedException',
  'BadRequestException',
  'MessageRejected',
]);

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });

/** SES. Addresses that bounced or complained are on SES's own list: it accepts their mails, and drops them. */
export class SesMailer implements Mailer {
  readonly #client: SESv2Client;
  readonly #sender: { readonly from: string; readonly configurationSet: string };

  constructor(client: SESv2Client, sender: { from: string; configurationSet: string }) {
    this.#client = client;
    this.#sender = sender;
  }

  async send(to: string, mail: Mail): Promise<{ refusedBecause?: string }> {
    const { subject, text, html, unsubscribe } = mail;
    const Headers =
      unsubscribe === undefined ? [] : [{ Name: 'List-Unsubscribe', Value: `<${unsubscribe}>` }];
    const command = new SendEmailCommand({
      FromEmailAddress: this.#sender.from,
      ConfigurationSetName: this.#sender.configurationSet,
      Destination: { ToAddresses: [to] },
      Content: {
        Simple: {
          Subject: utf8(subject),
          Body: { Text: utf8(text), Html: utf8(html) },
          Headers,
        },
      },
    });
    try {
      await this.#client.send(command);
      return {};
    } catch (fault) {
      if (!(fault instanceof SESv2ServiceException)) throw fault;
      if (REFUSALS.has(fault.name)) return { refusedBecause: fault.name };
      // SES's message may name addresses, which are not for the log.
      const { name } = fault;
      throw Object.assign(new Error('SES did not take the mail'), { name });
    }
  }
}
