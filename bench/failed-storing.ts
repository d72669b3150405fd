/**
 * Events for a failed integration, which the service stores: how many a second, and the most
 * messages in flight meanwhile. Routing is a part of it.
 *
 *     npm run bench:failed-storing [-- <events>]
 */
import { failedWebhook } from './failed-webhook.ts';
import { startBenchedService } from './service.ts';

const [total = 20_000] = process.argv.slice(2).map(Number);

const service = await startBenchedService();
const { countPending, mostInFlight, storedS } = await failedWebhook(service, total);
const lost = total - (await countPending());
console.log(
  `${total} events stored in ${storedS.toFixed(1)} s: ${Math.round(total / storedS)} events/s, lost ${lost}`,
);
console.log(`most in flight: ${mostInFlight}`);
await service.stop();
