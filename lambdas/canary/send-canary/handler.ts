import { type buildKeepCanary, canaryEvent } from '../../../core/delivery/canary.ts';
import type { PlatformEvent } from '../../../core/event/event.ts';

interface Deps {
  readonly keepCanary: ReturnType<typeof buildKeepCanary>;
  readonly events: { send(event: PlatformEvent): Promise<unknown> };
  /** The address of `receive-canary`. */
  readonly url: string;
  readonly newEventId: () => string;
  readonly now: () => Date;
}

/** Called by a schedule. If it dies after it sent the event, Lambda may call it again: one more event. */
export const createHandler =
  ({ keepCanary, events, url, newEventId, now }: Deps) =>
  async (): Promise<void> => {
    await keepCanary(url);
    await events.send(canaryEvent(newEventId(), now()));
  };
