import type {
  Recovery,
  ReplayRequests,
} from '../../../../core/delivery/pending/replay-requests.ts';

export class InMemoryReplayRequests implements ReplayRequests {
  /** In order; a request with a `recovery` is for more than the pending events. */
  readonly requested: { account: string; id: string; recovery?: Recovery }[] = [];

  async request(
    { account, id }: { account: string; id: string },
    recovery?: Recovery,
  ): Promise<void> {
    this.requested.push({ account, id, ...(recovery && { recovery }) });
  }
}
