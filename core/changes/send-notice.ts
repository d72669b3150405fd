import type { DeliveryLogReader } from '../delivery/delivery-log-reader.ts';
import type { PendingView } from '../delivery/pending/pending-view.ts';
import { type Accounts, everyPage } from '../directory/account.ts';
import { roleOf, type User, type UserList } from '../directory/user.ts';
import type { IntegrationKey, IntegrationReader } from '../integration/integration.ts';
import { countDelivered } from './count-delivered.ts';
import { type Mail, noticeMail } from './notice-mail.ts';
import {
  decideNotice,
  endsUnnoticed,
  type NoticeState,
  replayedBy,
  stateAfter,
  type Unsent,
} from './notice-policy.ts';
import type { NoticeRequest } from './notice-request.ts';

/** One state for each integration. It may be forgotten a month after the latest e-mail. */
export interface NoticeStates {
  /** Strongly consistent. */
  find(integration: string): Promise<NoticeState | undefined>;
  put(integration: string, state: NoticeState): Promise<void>;
}

export interface Mailer {
  /**
   * Resolves once the mail is accepted, or to the code of the refusal if this address or this mail
   * is at fault. Throws if the mail may be accepted later.
   */
  send(to: string, mail: Mail): Promise<{ readonly refusedBecause?: string }>;
}

interface NotSent {
  readonly user: string;
  readonly code: string;
}

interface Dropped {
  readonly kind: 'dropped';
  readonly because: Exclude<Unsent, 'refused'>;
}

export type NoticeResult =
  | Dropped
  | { readonly kind: 'waits'; readonly until: Date }
  | { readonly kind: 'sent'; readonly mails: number; readonly refused: readonly NotSent[] };

export type SendNotice = (request: NoticeRequest) => Promise<NoticeResult>;

interface Ports {
  readonly integrations: Pick<IntegrationReader, 'find'>;
  readonly states: NoticeStates;
  readonly accounts: Pick<Accounts, 'find'>;
  readonly userList: UserList;
  readonly pending: Pick<PendingView, 'count'>;
  readonly deliveryLogReader: Pick<DeliveryLogReader, 'newest'>;
  readonly mailer: Mailer;
  readonly now: () => Date;
  readonly hourMs: number;
  /** The address of the API, without a slash at its end. */
  readonly api: string;
  /** The address of the web console; absent where there is none. */
  readonly console?: string | undefined;
}

/** More is "at least" so many: counting reads the events. */
const COUNTED_UP_TO = 1_000;

/**
 * Sends the e-mail that a request asks for, unless it is needless or too early. The state is written
 * last: if the process dies before, the e-mail is sent again, and none is lost. If every address was
 * refused, nobody was notified, and the next hourly retry of a failed integration asks again.
 */
export const buildSendNotice = (ports: Ports): SendNotice => {
  const recipientsOf = buildRecipientsOf(ports);
  return async (request) => {
    const clock = { now: ports.now(), hourMs: ports.hourMs };
    const { account, integration: id } = request;
    const [integration, state] = await Promise.all([
      ports.integrations.find(account, id),
      ports.states.find(id),
    ]);
    const known = { integration, state };
    const forgetFailure = async (because: Unsent): Promise<void> => {
      if (state === undefined || !endsUnnoticed(request, known, because)) return;
      await ports.states.put(id, { ...state, notifiedSince: undefined });
    };
    const drop = async (because: Dropped['because']): Promise<Dropped> => {
      await forgetFailure(because);
      return { kind: 'dropped', because };
    };
    const decision = decideNotice(request, known, clock);
    if (decision instanceof Date) return { kind: 'waits', until: decision };
    if (integration === undefined || decision !== 'send') {
      return drop(decision === 'send' ? 'deleted' : decision);
    }
    const recipients = await recipientsOf({ account, id });
    if (typeof recipients === 'string') return drop(recipients);
    const stored = { integration: id, state: 'pending' } as const;
    const pending = await ports.pending.count(stored, COUNTED_UP_TO);
    const until = replayedBy(request, pending.count, clock);
    if (until !== undefined) return { kind: 'waits', until };
    const mail = noticeMail(request, {
      ...{ integration, pending, now: clock.now, api: ports.api, console: ports.console },
      delivered: await countDelivered(ports.deliveryLogReader, request),
      failedSince: state?.notifiedSince,
      setAsideBefore: state?.setAside,
    });
    const refused = await sendToEach(recipients, mail, ports);
    const mails = recipients.length - refused.length;
    if (mails > 0) await ports.states.put(id, stateAfter(request, known, clock.now));
    else await forgetFailure('refused');
    return { kind: 'sent', mails, refused };
  };
};

type Recipient = Pick<User, 'id'> & { readonly email: string };

/** The organisation's admins who have an address, or why there is none. */
const buildRecipientsOf =
  ({ accounts, userList }: Pick<Ports, 'accounts' | 'userList'>) =>
  async ({
    account,
  }: IntegrationKey): Promise<readonly Recipient[] | 'turned-off' | 'no-address'> => {
    if ((await accounts.find(account))?.failureMail === false) return 'turned-off';
    const pages = await everyPage((page) => userList.listOf(account, page));
    const found = pages.flatMap(({ users }) =>
      users.flatMap((user) =>
        roleOf(user) === 'admin' && user.email !== undefined
          ? [{ id: user.id, email: user.email }]
          : [],
      ),
    );
    const addresses = found.map(({ email }) => email);
    const distinct = found.filter(({ email }, index) => addresses.indexOf(email) === index);
    return distinct.length > 0 ? distinct : 'no-address';
  };

/** No mail begins later: if the process ended before the state is written, all would come again. */
const MAILING_MS = 25_000;

/**
 * One mail each: the admins do not see each other's addresses, and a bad one refuses no other. Throws
 * only before the first mail is accepted: an outage would repeat the accepted ones again and again.
 */
const sendToEach = async (
  recipients: readonly Recipient[],
  mail: Mail,
  { mailer, now }: Pick<Ports, 'mailer' | 'now'>,
): Promise<readonly NotSent[]> => {
  const endsAt = now().getTime() + MAILING_MS;
  const refused: NotSent[] = [];
  let isAccepted = false;
  for (const { id: user, email } of recipients) {
    if (isAccepted && now().getTime() > endsAt) {
      refused.push({ user, code: 'OutOfTime' });
      continue;
    }
    const { refusedBecause: code } = await mailer.send(email, mail).catch((fault: unknown) => {
      if (!isAccepted || !(fault instanceof Error)) throw fault;
      return { refusedBecause: fault.name };
    });
    if (code === undefined) isAccepted = true;
    else refused.push({ user, code });
  }
  return refused;
};
