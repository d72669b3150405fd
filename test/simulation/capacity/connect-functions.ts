import { eventSourcesOf } from '../../../lib/stage-settings.ts';
import { createFunctions } from './functions.ts';
import type { Model } from './model.ts';
import { SourcePoller } from './source-poller.ts';

/** Has the queues of a model invoke its functions, as the event sources of its stage do. */
export const connectFunctions = (model: Model): void => {
  const { clock, queues } = model;
  const sources = eventSourcesOf(model.settings.stage);
  const { routeEvents, deliver, runReplay, retryHourly } = createFunctions(model);
  new SourcePoller(clock, queues.events, { ...sources.events, invoke: routeEvents });
  new SourcePoller(clock, queues.deliveries, {
    ...sources.deliveries,
    invoke: (batch) => deliver(batch, 'fast'),
  });
  new SourcePoller(clock, queues.slowLane, {
    ...sources.slowLane,
    invoke: (batch) => deliver(batch, 'slow'),
  });
  new SourcePoller(clock, queues.replays, { ...sources.replays, invoke: runReplay });
  new SourcePoller(clock, queues.retries, { ...sources.retries, invoke: retryHourly });
};
