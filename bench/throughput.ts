/**
 * Events a second from queue to receiver, through the embedded run: all are in the queue's way at
 * once, and the time is from the first SendMessage to the last POST.
 *
 *     npm run bench:throughput [-- <events>]
 */
import { eventNumbered, now, startBenchedService } from './service.ts';

const [total = 3_000] = process.argv.slice(2).map(Number);
const WARM_UP = 50;
const SENDERS = 8;

const { run, arrivals, arrived, stop } = await startBenchedService();
const send = (number: number) => run.events.send(eventNumbered(number, run.endpoints.account));

for (let number = 0; number < WARM_UP; number += 1) await send(number);
await arrived(WARM_UP);

const startedAt = now();
let next = WARM_UP;
const sender = async (): Promise<void> => {
  while (next < WARM_UP + total) {
    const number = next;
    next += 1;
    await send(number);
  }
};
await Promise.all(Array.from({ length: SENDERS }, sender));
const sentS = (now() - startedAt) / 1_000;
await arrived(WARM_UP + total);
const seconds = (now() - startedAt) / 1_000;

console.log(`${total} events in ${seconds.toFixed(1)} s: ${Math.round(total / seconds)} events/s`);
console.log(`(sending took ${sentS.toFixed(1)} s of it; ${arrivals.size - WARM_UP} arrived)`);
await stop();
