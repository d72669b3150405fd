import {
  customerLimits,
  EVENT_TYPES,
  type EventType,
  IN_WORDS,
  type Integration,
} from '../api/resources.ts';
import { LOCALE } from './locale.ts';

type Searched = Pick<Integration, 'active' | 'createdAt' | 'settings'>;

interface Search {
  readonly type?: EventType | undefined;
  readonly until?: string | undefined;
  readonly now: Date;
}

const KEPT_MS = customerLimits.deliveryLogRetentionDays * 86_400_000;

const OR = new Intl.ListFormat(LOCALE, { type: 'disjunction' });

/**
 * Why an event may have no delivery to these webhooks, in sentences: what their settings and the time
 * of the search tell. The settings may have been others when the event was routed.
 */
export const causesIn = (
  webhooks: readonly Searched[],
  { type, until, now }: Search,
): readonly string[] => {
  const inactive = webhooks.filter(
    ({ active, settings }) => !active && settings.whileInactive !== 'keep',
  );
  const filtering = webhooks.filter(({ settings }) => settings.filter !== undefined);
  const unwanted = (type === undefined ? EVENT_TYPES : [type]).filter((each) =>
    webhooks.every(({ settings }) => !settings.actions[each]),
  );
  const isOne = webhooks.length === 1;
  const some = ({ length }: readonly Searched[], one: string, more: string): string =>
    isOne
      ? `This webhook ${one}`
      : `${length} of ${webhooks.length} webhooks ${length === 1 ? one : more}`;
  const isBefore = (ms: number): boolean => until !== undefined && Date.parse(until) <= ms;
  const causes: readonly (readonly [boolean, string])[] = [
    [
      inactive.length > 0,
      `${some(inactive, 'is', 'are')} inactive: ${inactive.length === 1 ? 'its' : 'their'} new events are neither sent nor stored.`,
    ],
    [
      unwanted.length > 0,
      `${isOne ? 'This webhook is not' : 'No webhook is'} subscribed to ${OR.format(unwanted)}.`,
    ],
    [
      filtering.length > 0,
      `${some(filtering, 'has', 'have')} a filter, which keeps back events that do not match.`,
    ],
    [
      webhooks.every(({ createdAt }) => isBefore(Date.parse(createdAt))),
      `${isOne ? 'This webhook was' : 'All webhooks were'} added later.`,
    ],
    [
      isBefore(now.getTime() - KEPT_MS),
      `A delivery is listed for ${IN_WORDS.logRetention} after its latest attempt, or while it waits.`,
    ],
  ];
  return causes.flatMap(([isSo, words]) => (isSo ? [words] : []));
};
