import type {
  Recovery,
  RecoveryRequests,
  ReplayRequests,
} from '../../core/delivery/replay-requests.ts';

export class InMemoryReplayRequests implements ReplayRequests, RecoveryRequests {
  /** In order; those with a `recovery` are for more than what is pending. */
  readonly requested: { account: string; id: string; recovery?: Recovery }[] = [];

  async request({ account, id }: { account: string; id: string }): Promise<void> {
    this.requested.push({ account, id });
  }

  async requestRecovery(
    { account, id }: { account: string; id: string },
    recovery: Recovery,
  ): Promise<void> {
    this.requested.push({ account, id, recovery });
  }
}
