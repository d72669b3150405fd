import type { ReplayRequests } from '../../core/delivery/replay-requests.ts';

export class InMemoryReplayRequests implements ReplayRequests {
  readonly requested: { account: string; id: string }[] = [];

  async request({ account, id }: { account: string; id: string }): Promise<void> {
    this.requested.push({ account, id });
  }
}
