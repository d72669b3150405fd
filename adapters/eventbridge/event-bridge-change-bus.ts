import { setTimeout as delay } from 'node:timers/promises';
import {
  type EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';
import { CHANGE_EVENT_SOURCE, detailTypeOf } from '../../core/changes/change-event.ts';
import type { ChangeBus } from '../../core/changes/change-log.ts';
import type { Change } from '../../core/changes/change-resource.ts';
import { inChunks } from '../../core/in-chunks.ts';

/** EventBridge's limit of a call. So many of the largest changes have less than its 256 KB. */
const MAX_ENTRIES = 10;
/** EventBridge refuses entries while it is throttled or at fault, and not for their content. */
const TRIES = 3;
const DELAY_MS = 100;

interface Options {
  readonly busName: string;
  /** Waits between tries. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

export class EventBridgeChangeBus implements ChangeBus {
  readonly #client: EventBridgeClient;
  readonly #busName: string;
  readonly #pause: (ms: number) => Promise<unknown>;

  constructor(client: EventBridgeClient, { busName, pause = delay }: Options) {
    this.#client = client;
    this.#busName = busName;
    this.#pause = pause;
  }

  async publish(changes: readonly Change[]): Promise<void> {
    const entries = changes.map((change) => this.#entryOf(change));
    const results = await Promise.allSettled(
      inChunks(entries, MAX_ENTRIES).map((batch) => this.#put(batch)),
    );
    for (const result of results) if ('reason' in result) throw result.reason;
  }

  #entryOf(change: Change): PutEventsRequestEntry {
    return {
      EventBusName: this.#busName,
      Source: CHANGE_EVENT_SOURCE,
      DetailType: detailTypeOf(change.kind),
      Detail: JSON.stringify(change),
      Time: new Date(change.at),
    };
  }

  async #put(batch: readonly PutEventsRequestEntry[]): Promise<void> {
    let left = batch;
    for (let tries = 1; ; tries += 1) {
      const { Entries = [] } = await this.#client.send(
        new PutEventsCommand({ Entries: [...left] }),
      );
      const codes = Entries.map(({ ErrorCode }) => ErrorCode);
      left = left.filter((_, index) => codes[index] !== undefined);
      if (left.length === 0) return;
      if (tries === TRIES) {
        const reasons = [...new Set(codes.filter((code) => code !== undefined))].join(', ');
        throw new Error(`EventBridge refused ${left.length} events: ${reasons}`);
      }
      await this.#pause(DELAY_MS * 2 ** tries);
    }
  }
}
