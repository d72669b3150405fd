import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { HttpAnswer } from '../http-server.ts';
import { AwsError, jsonAnswer, type ParsedAwsRequest } from './aws-request.ts';

/** Of everything of SES's API. */
export const SES_PATH = '/v2/email/';

export interface SentMail {
  readonly at: Date;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Mails {
  handle(request: Pick<ParsedAwsRequest, 'method' | 'path' | 'input'>): HttpAnswer;
  /** The latest, oldest first. */
  readonly sent: readonly SentMail[];
}

const KEPT = 1_000;

const Content = z.strictObject({ Data: z.string(), Charset: z.literal('UTF-8') });

const SendEmail = z.strictObject({
  FromEmailAddress: z.string().min(1),
  ConfigurationSetName: z.string().min(1),
  Destination: z.strictObject({ ToAddresses: z.array(z.string().min(1)).min(1).max(50) }),
  Content: z.strictObject({
    Simple: z.strictObject({
      Subject: Content,
      Body: z.strictObject({ Text: Content, Html: Content }),
      Headers: z
        .array(z.strictObject({ Name: z.string(), Value: z.string() }))
        .max(15)
        .default([]),
    }),
  }),
});

/** SES, which sends nothing here: the mails are kept for readers. */
export const createMails = (): Mails => {
  const sent: SentMail[] = [];
  return {
    handle: ({ method, path, input }) => {
      const { data } = SendEmail.safeParse(input);
      if (`${method} ${path}` !== `POST ${SES_PATH}outbound-emails` || data === undefined) {
        throw new AwsError(
          'BadRequestException',
          'Only SendEmail of simple mails, with text, HTML and a configuration set, is emulated.',
        );
      }
      const { Body, Headers, Subject } = data.Content.Simple;
      sent.push({
        at: new Date(),
        from: data.FromEmailAddress,
        to: data.Destination.ToAddresses,
        subject: Subject.Data,
        text: Body.Text.Data,
        html: Body.Html.Data,
        headers: Object.fromEntries(Headers.map(({ Name, Value }) => [Name, Value])),
      });
      sent.splice(0, sent.length - KEPT);
      return jsonAnswer({ MessageId: randomUUID() });
    },
    sent,
  };
};
