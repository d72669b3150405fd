import * as z from 'zod';
import { messageText, parseMessageText } from '../delivery/message-format.ts';
import { canDeliver, type Integration } from '../integration/integration.ts';
import type { IntegrationWrite } from './changes-between.ts';

const text = z.string().min(1);

const noticeSchema = z.object({
  /** The same for each repetition. */
  id: text,
  account: text,
  /** The integration's bare id. */
  integration: text,
});

/** Asks to look at an integration, and to tell the admins what they do not know of it. */
export type NoticeRequest = Readonly<z.output<typeof noticeSchema>>;

export const noticeMessage = (request: NoticeRequest): string => messageText(request);

/** Throws `UnreadableMessage` and `LaterFormat`. */
export const parseNoticeMessage = (body: string): NoticeRequest =>
  parseMessageText(body, noticeSchema);

/** Asks for a look at an integration if a write changes what e-mails are about. */
export const noticesFor = ({ id, before, after }: IntegrationWrite): readonly NoticeRequest[] =>
  before === undefined || after === undefined || subjectOf(before) === subjectOf(after)
    ? []
    : [{ id, account: after.account, integration: after.id }];

/** A failure, its hourly retries and its end; events set aside; events that wait while inactive. */
const subjectOf = (integration: Integration): string => {
  const { trouble, setAside = 0, remindedAt } = integration;
  const { since, claimedAt } = trouble?.kind === 'failed' ? trouble : {};
  return JSON.stringify([canDeliver(integration), since, claimedAt, setAside, remindedAt]);
};
