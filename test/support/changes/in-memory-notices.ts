import type { NoticeRequests } from '../../../core/changes/change-log.ts';
import type { Mail } from '../../../core/changes/notice-mail.ts';
import type { NoticeState } from '../../../core/changes/notice-policy.ts';
import type { NoticeRequest } from '../../../core/changes/notice-request.ts';
import type { Mailer, NoticeStates } from '../../../core/changes/send-notice.ts';

export class InMemoryNoticeRequests implements NoticeRequests {
  readonly requested: NoticeRequest[] = [];

  async request(notices: readonly NoticeRequest[]): Promise<void> {
    this.requested.push(...notices);
  }
}

export class InMemoryNoticeStates implements NoticeStates {
  readonly #states = new Map<string, NoticeState>();

  async find(integration: string): Promise<NoticeState | undefined> {
    return this.#states.get(integration);
  }

  async put(integration: string, state: NoticeState): Promise<void> {
    this.#states.set(integration, state);
  }
}

/** Keeps the mails; refuses those to addresses in `refused`, and throws for those in `failing`. */
export class InMemoryMailer implements Mailer {
  readonly sent: (Mail & { readonly to: string })[] = [];
  readonly #refused: readonly string[];
  readonly #failing: readonly string[];
  readonly #onSend: () => void;

  constructor({
    refused = [] as readonly string[],
    failing = [] as readonly string[],
    onSend = () => {},
  } = {}) {
    this.#refused = refused;
    this.#failing = failing;
    this.#onSend = onSend;
  }

  async send(to: string, mail: Mail): Promise<{ refusedBecause?: string }> {
    this.#onSend();
    if (this.#failing.includes(to)) {
      throw Object.assign(new Error('later'), { name: 'TooManyRequestsException' });
    }
    if (this.#refused.includes(to)) return { refusedBecause: 'MessageRejected' };
    this.sent.push({ to, ...mail });
    return {};
  }
}
