import { CONFIRMED_OTHERS, IN_WORDS } from '../customer-limits.ts';
import { adviceFor } from '../delivery/advice.ts';
import type { PendingCount } from '../delivery/pending/pending-view.ts';
import { accountPath } from '../directory/account-resource.ts';
import type { Integration } from '../integration/integration.ts';
import { CONTINUE_ADVICE, integrationPath } from '../integration/integration-resource.ts';
import { shownAddress } from '../integration/shown-address.ts';
import { type Block, htmlOf, type Link, textOf } from './mail-parts.ts';
import type { NoticeKind } from './notice-policy.ts';

export interface Mail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Of the page where these e-mails are turned off; absent where there is no console. */
  readonly unsubscribe?: string;
}

interface Facts {
  readonly integration: Integration;
  readonly pending: PendingCount;
  readonly now: Date;
  /** Since when the integration was failed, as the admins were notified. */
  readonly failedSince?: string | undefined;
  /** How many events were set aside at the e-mail before. */
  readonly setAsideBefore?: number | undefined;
  readonly api: string;
  readonly console?: string | undefined;
}

interface MailFacts extends Facts {
  readonly kind: NoticeKind;
  readonly name: string;
}

/** Both parts have the same words. */
export const noticeMail = (kind: NoticeKind, facts: Facts): Mail => {
  const { integration, console } = facts;
  const mailed = { ...facts, kind, name: nameOf(integration) };
  const { subject, blocks } = WORDS[kind](mailed);
  const settings = console && `${console}${accountPath(integration.account)}/settings`;
  const all = [
    ...blocks,
    ...setAsideBlocks(mailed),
    ...pageLink(mailed),
    { label: 'Recover after an outage', href: `${facts.api}/guides/recover` },
    ...footer(mailed, settings),
  ];
  return {
    subject,
    text: textOf(all),
    html: htmlOf(subject, all),
    ...(settings !== undefined && { unsubscribe: settings }),
  };
};

/** The address is without its scheme, so that mail programs make no link of it. */
const nameOf = ({ id, description, config }: Integration): string =>
  [
    ...(description === undefined ? [] : [`“${unlinked(description)}”,`]),
    `${shownAddress(config.baseUrl).replace(/^https:\/\//, '')} (${id})`,
  ].join(' ');

/**
 * A text that mail programs make no link of, to an address of the web or of e-mail: a zero-width
 * space follows the characters by which they find one.
 */
const unlinked = (text: string): string => text.replaceAll(/[.:/@。．｡](?=\S)/g, '$&\u200b');

type Words = (facts: MailFacts) => { readonly subject: string; readonly blocks: readonly Block[] };

const failedWords: Words = (facts) => {
  const { integration, name, now, pending, kind } = facts;
  const { since = now.toISOString() } = integration.trouble ?? {};
  const { what: because } = adviceFor(integration.trouble ?? {});
  const isReminder = kind === 'still-failed';
  return {
    subject: isReminder
      ? `Webhook ${name} is still failed, for ${spanOf(since, now)}`
      : `Webhook ${name} failed: ${because}`,
    blocks: [
      `The webhook ${name} of account ${integration.account} ${isReminder ? 'is still failed' : 'has failed'}: ${because}.`,
      `Failed since ${instantOf(since)}. ${waitingWords(pending)}`,
      'What to do:',
      stepsOf(facts),
      ...adviceOf(facts),
    ],
  };
};

const recoveredWords: Words = ({ integration, name, now, pending, failedSince }) => {
  const since = failedSince ?? now.toISOString();
  const { account, confirmedAt = '' } = integration;
  const works = confirmedAt > since;
  const state = works ? 'works again' : 'is active again. Its next event shows whether it works';
  const confirmed = works ? ` and confirmed an event at ${instantOf(confirmedAt)}` : '';
  return {
    subject: `Webhook ${name} ${state}`,
    blocks: [
      `The webhook ${name} of account ${account} ${state}. It failed at ${instantOf(since)}${confirmed}.`,
      pending.count === 0
        ? 'No events are waiting.'
        : `${sizeOf(pending)} ${pending.count === 1 ? 'is' : 'are'} waiting, and sent when due.`,
    ],
  };
};

const setAsideWords: Words = (facts) => {
  const { integration, name, setAsideBefore = 0 } = facts;
  const { setAside = 0 } = integration;
  const count = setAside - setAsideBefore;
  const events = eventsOf(count);
  return {
    subject: `Webhook ${name}: ${events} set aside`,
    blocks: [
      `The webhook ${name} of account ${integration.account} delivers events, but your endpoint confirmed no attempt of some of them for ${IN_WORDS.window}. ${events} ${count === 1 ? 'was' : 'were'} set aside since the last e-mail about this.`,
    ],
  };
};

const inactiveWords: Words = ({ integration, name, pending, console }) => {
  const { account, id, createdAt, inactiveSince = createdAt } = integration;
  return {
    subject: `Webhook ${name} is inactive: ${sizeOf(pending)} ${pending.count === 1 ? 'waits' : 'wait'}`,
    blocks: [
      `The webhook ${name} of account ${account} has been inactive since ${instantOf(inactiveSince)}. ${waitingWords(pending)}`,
      console === undefined
        ? `PATCH ${integrationPath(id)} with {"active": true} sends them, and with {"settings": {"whileInactive": "discard"}} discards new events.`
        : 'Activate it in its Settings to send them. There you also choose whether new events are kept.',
    ],
  };
};

const WORDS: Readonly<Record<NoticeKind, Words>> = {
  failed: failedWords,
  'still-failed': failedWords,
  recovered: recoveredWords,
  'event-set-aside': setAsideWords,
  'still-inactive': inactiveWords,
};

const stepsOf = ({ integration: { id, trouble }, console }: MailFacts): readonly string[] => {
  const { advice } = adviceFor(trouble ?? {});
  return console === undefined
    ? [
        `GET ${integrationPath(id)}/deliveries shows what was sent and what your endpoint answered.`,
        advice,
        `Call POST ${integrationPath(id)}/retry, or wait: the service tries again every hour. After the first success it sends the waiting events.`,
      ]
    : [
        'Open the webhook: Deliveries shows what was sent and what your endpoint answered.',
        advice,
        'Choose “Retry now”, or wait: the service tries again every hour. After the first success it sends the waiting events.',
      ];
};

const adviceOf = ({ integration, console }: MailFacts): readonly string[] => {
  const isAdvised =
    integration.trouble?.confirmedOthers === true && integration.settings.onFatalError === 'pause';
  if (!isAdvised) return [];
  return console === undefined
    ? [CONTINUE_ADVICE]
    : [
        `${CONFIRMED_OTHERS} If it refuses single events only, choose in the webhook’s Settings to continue with the other events.`,
      ];
};

const setAsideBlocks = ({ integration, console }: MailFacts): readonly string[] => {
  const { id, setAside = 0 } = integration;
  if (setAside <= 0) return [];
  const stored = `${eventsOf(setAside)} ${setAside === 1 ? 'is' : 'are'} set aside: stored, and not sent again until you resend or recover them.`;
  return console === undefined
    ? [`${stored} GET ${integrationPath(id)}/pending-events?state=set-aside lists them.`]
    : [`${stored} The webhook’s tab Waiting lists them.`];
};

const pageLink = ({ integration: { account, id }, console }: MailFacts): readonly Link[] =>
  console === undefined
    ? []
    : [
        {
          label: 'Open the webhook',
          href: `${console}${accountPath(account)}/settings${integrationPath(id)}`,
        },
      ];

const footer = ({ integration: { account } }: MailFacts, settings?: string): readonly Block[] => {
  const why = `You get this e-mail because you are an admin of ${account}.`;
  return settings === undefined
    ? [
        `${why} PATCH ${accountPath(account)} with {"failureMail": false} turns these e-mails off for the account.`,
      ]
    : [why, { label: 'Turn these e-mails off for the account', href: settings }];
};

const waitingWords = ({ count, isExact }: PendingCount): string => {
  if (count === 0) return 'New events are waiting. None are lost.';
  if (count === 1 && isExact) return '1 event is waiting. It is not lost.';
  return `${sizeOf({ count, isExact })} are waiting. None are lost.`;
};

const sizeOf = ({ count, isExact }: PendingCount): string =>
  `${isExact ? '' : 'At least '}${eventsOf(count)}`;

const eventsOf = (count: number): string =>
  count === 1 ? '1 event' : `${count.toLocaleString('en')} events`;

/** 2026-11-20 12:02 UTC */
const instantOf = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

const spanOf = (since: string, until: Date): string => {
  const ms = until.getTime() - Date.parse(since);
  const found = UNITS.find(([, length]) => ms >= length);
  if (found === undefined) return 'less than a minute';
  const count = Math.floor(ms / found[1]);
  return `${count} ${found[0]}${count === 1 ? '' : 's'}`;
};
