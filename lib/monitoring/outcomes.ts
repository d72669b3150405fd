import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { ServiceParts } from '../functions/service-parts.ts';
import type { StageSettings } from '../stage-settings.ts';
import { every, type Line, line, writtenMetric } from './line.ts';

/** Alarms look at the last quarter of an hour, each minute anew. */
const period = Duration.minutes(15);

export const WEBHOOKS_FAILING = 'webhooks-failing';

/** Webhooks that became busy or failed: fewer may be of one customer. */
const LEAST_STOPPED = 10;

/**
 * A webhook whose attempts all fail counts at most once in a batch of the log's stream, which is at
 * most a minute: three webhooks count 45 times.
 */
const LEAST_NOT_CONFIRMING = 50;

/**
 * Whether many webhooks fail together, at 1: a fault of the service looks like this, and a customer's
 * does not. The first part sees those that stop. In a quarter of an hour the number of those that
 * fail by themselves grows with the traffic, and its square root is above that at 25 webhooks and
 * at 20,000. The second part sees attempts without an answer, which stop a webhook after twenty.
 */
export const webhooksFailing = (settings: StageSettings): Line => {
  const metric = new MathExpression({
    expression: `MAX([IF(FILL(stopped, 0) >= ${LEAST_STOPPED}, FILL(stopped, 0) * FILL(stopped, 0) / (1 + FILL(confirming, 0)), 0), IF(FILL(failing, 0) >= ${LEAST_NOT_CONFIRMING}, FILL(failing, 0) / (1 + FILL(confirming, 0)), 0)])`,
    usingMetrics: {
      stopped: writtenMetric(settings, 'IntegrationsStopped'),
      confirming: writtenMetric(settings, 'IntegrationsConfirming'),
      failing: writtenMetric(settings, 'IntegrationsNotConfirming'),
    },
    period,
  });
  return line('1: too many', metric, {
    name: WEBHOOKS_FAILING,
    isUrgent: true,
    meaning: 'Webhooks of many customers fail together: perhaps the service is at fault.',
  });
};

/** Fewer may be of an account that was removed a moment ago. */
const LEAST_UNKNOWN = 10;
const UNKNOWN_PERCENT = 5;

export const unknownAccounts = ({ events, settings }: ServiceParts): Line => {
  const metric = new MathExpression({
    expression: `IF(FILL(unknown, 0) >= ${LEAST_UNKNOWN}, 100 * FILL(unknown, 0) / routed, 0)`,
    usingMetrics: {
      unknown: writtenMetric(settings, 'EventsOfUnknownAccounts'),
      routed: events.queue.metricNumberOfMessagesDeleted(every(5)),
    },
    period,
  });
  return line('of unknown accounts', metric, {
    name: 'unknown-accounts',
    isUrgent: true,
    threshold: UNKNOWN_PERCENT,
    meaning: 'The platform sends events of accounts that do not exist. They are dropped.',
  });
};
