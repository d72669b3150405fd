import type {
  ReplayOptions,
  ReplayRequest,
  ReplayRequests,
} from '../../../../core/delivery/pending/replay-requests.ts';

export class InMemoryReplayRequests implements ReplayRequests {
  /** In order; a request with a `recovery` is for more than the pending events. */
  readonly requested: ReplayRequest[] = [];
  readonly #ended = new Set<string>();

  async request(
    { account, id }: { account: string; id: string },
    { recovery, onlyDue, rest, pace, notBefore, ended }: ReplayOptions & { ended?: number } = {},
  ): Promise<void> {
    if (ended !== undefined) {
      if (this.#ended.has(`${id} ${ended}`)) return;
      this.#ended.add(`${id} ${ended}`);
    }
    this.requested.push({
      account,
      id,
      ...(recovery && { recovery }),
      ...(onlyDue && { onlyDue }),
      ...(rest && { rest }),
      ...(pace && { pace }),
      ...(notBefore && { notBefore }),
    });
  }
}
