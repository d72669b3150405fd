import type { PendingView } from '../delivery/pending/pending-view.ts';
import { type Accounts, everyPage } from '../directory/account.ts';
import { roleOf, type User, type UserList } from '../directory/user.ts';
import type { IntegrationReader } from '../integration/integration.ts';
import { type Mail, noticeMail } from './notice-mail.ts';
import { decideNotice, type NoticeKind, type NoticeState, stateAfter } from './notice-policy.ts';
import type { NoticeRequest } from './notice-request.ts';

/** One state for each integration. It may be forgotten 400 days after the latest e-mail. */
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

type NoNotice = 'deleted' | 'nothing-new' | 'turned-off' | 'no-address';

export type NoticeResult =
  | { readonly kind: 'dropped'; readonly because: NoNotice }
  | { readonly kind: 'waits'; readonly until: Date }
  | {
      readonly kind: 'sent';
      readonly about: NoticeKind;
      readonly mails: number;
      readonly refused: readonly NotSent[];
    };

export type SendNotice = (request: NoticeRequest) => Promise<NoticeResult>;

interface Ports {
  readonly integrations: Pick<IntegrationReader, 'find'>;
  readonly states: NoticeStates;
  readonly accounts: Pick<Accounts, 'find'>;
  readonly userList: UserList;
  readonly pending: Pick<PendingView, 'count'>;
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
 * Tells the admins what they do not know of an integration, unless it is too early. The state is
 * written last: if the process dies before, the e-mail is sent again, and none is lost. If every
 * address was refused, nobody knows, and the next request, as of an hourly retry, tells it.
 */
export const buildSendNotice = (ports: Ports): SendNotice => {
  const recipientsOf = buildRecipientsOf(ports);
  return async ({ account, integration: id }) => {
    const now = ports.now();
    const [integration, state] = await Promise.all([
      ports.integrations.find(account, id),
      ports.states.find(id),
    ]);
    if (integration === undefined) return { kind: 'dropped', because: 'deleted' };
    const decision = decideNotice(integration, state, { now, hourMs: ports.hourMs });
    if (decision instanceof Date) return { kind: 'waits', until: decision };
    if (decision === 'nothing-new') {
      // Of events that were resent: later ones are news.
      const { setAside = 0 } = integration;
      if (state?.setAside && setAside < state.setAside) {
        await ports.states.put(id, { ...state, setAside });
      }
      return { kind: 'dropped', because: decision };
    }
    const recipients = await recipientsOf(account);
    if (typeof recipients === 'string') return { kind: 'dropped', because: recipients };
    const stored = { integration: id, state: 'pending' } as const;
    const mail = noticeMail(decision, {
      ...{ integration, now, api: ports.api, console: ports.console },
      pending: await ports.pending.count(stored, COUNTED_UP_TO),
      failedSince: state?.failedSince,
      setAsideBefore: state?.setAside,
    });
    const refused = await sendToEach(recipients, mail, ports);
    const mails = recipients.length - refused.length;
    if (mails > 0) await ports.states.put(id, stateAfter(decision, integration, { state, now }));
    return { kind: 'sent', about: decision, mails, refused };
  };
};

type Recipient = Pick<User, 'id'> & { readonly email: string };

/** The organisation's admins who have an address, or why there is none. */
const buildRecipientsOf =
  ({ accounts, userList }: Pick<Ports, 'accounts' | 'userList'>) =>
  async (account: string): Promise<readonly Recipient[] | 'turned-off' | 'no-address'> => {
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
