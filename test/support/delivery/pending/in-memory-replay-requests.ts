import type {
  ReplayOptions,
  ReplayRequest,
  ReplayRequests,
} from '../../../../core/delivery/pending/replay-requests.ts';

export class InMemoryReplayRequests implements ReplayRequests {
  /** In order; a request with a `recovery` is for more than the pending events. */
  readonly requested: ReplayRequest[] = [];

  async request(
    { account, id }: { account: string; id: string },
    { recovery, onlyDue, rest, pace, notBefore }: ReplayOptions = {},
  ): Promise<void> {
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
