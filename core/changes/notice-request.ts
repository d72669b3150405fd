import * as z from 'zod';
import { messageText, parseMessageText } from '../delivery/message-format.ts';
import { type Change, ENDED_BY } from './change.ts';
import type { IntegrationWrite } from './changes-between.ts';

/**
 * `still-failed`: the hourly retry of a failed integration began. `still-inactive`: events wait while
 * it is inactive.
 */
const NOTICE_KINDS = [
  'failed',
  'still-failed',
  'recovered',
  'event-set-aside',
  'still-inactive',
] as const;

const text = z.string().min(1);

const noticeSchema = z.object({
  /** The same for each repetition. */
  id: text,
  kind: z.enum(NOTICE_KINDS),
  at: z.iso.datetime(),
  account: text,
  /** The integration's bare id. */
  integration: text,
  /** As in a change. */
  since: z.iso.datetime().optional(),
  endedBy: z.enum(ENDED_BY).optional(),
});

/** Asks for an e-mail about an integration. Whether one is sent is decided when it is read. */
export type NoticeRequest = Readonly<z.output<typeof noticeSchema>>;

export type NoticeKind = NoticeRequest['kind'];

export const noticeMessage = (request: NoticeRequest): string => messageText(request);

/** Throws `UnreadableMessage` and `LaterFormat`. */
export const parseNoticeMessage = (body: string): NoticeRequest =>
  parseMessageText(body, noticeSchema);

/** The e-mails that a write of an integration, and the changes that it makes, may cause. */
export const noticesFor = (
  write: IntegrationWrite,
  changes: readonly Change[],
): readonly NoticeRequest[] => [
  ...changes.flatMap(noticeOf),
  ...switchedOffWhileFailed(write),
  ...stillFailed(write),
  ...stillInactive(write),
];

const noticeOf = (change: Change): readonly NoticeRequest[] => {
  const { id, at, account, integration, since, endedBy } = change;
  const kind = NOTICE_KINDS.find((name) => name === change.kind);
  return kind === undefined ? [] : [{ id, kind, at, account, integration, since, endedBy }];
};

/**
 * Its deactivation ends a failure. It is no recovery, and the e-mail calls it one only if the
 * integration is active when the request is read.
 */
const switchedOffWhileFailed = ({
  id,
  before,
  after,
}: IntegrationWrite): readonly NoticeRequest[] => {
  if (before?.trouble?.kind !== 'failed' || after === undefined || after.active) return [];
  const { account, id: integration, updatedAt: at } = after;
  const { since } = before.trouble;
  return after.trouble?.since === since
    ? []
    : [{ id: `${id}-recovered`, kind: 'recovered', at, account, integration, since }];
};

const stillFailed = ({ id, before, after }: IntegrationWrite): readonly NoticeRequest[] => {
  const [was, is] = [before?.trouble, after?.trouble];
  if (after === undefined || was?.kind !== 'failed' || is?.kind !== 'failed') return [];
  const { claimedAt: at, since } = is;
  if (at === undefined || was.claimedAt === at) return [];
  const { account, id: integration } = after;
  return [{ id: `${id}-still-failed`, kind: 'still-failed', at, account, integration, since }];
};

const stillInactive = ({ id, before, after }: IntegrationWrite): readonly NoticeRequest[] => {
  const at = after?.remindedAt;
  if (!before || !after || at === undefined || before.remindedAt === at) return [];
  const { account, id: integration } = after;
  return [{ id: `${id}-still-inactive`, kind: 'still-inactive', at, account, integration }];
};
