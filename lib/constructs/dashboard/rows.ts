/** A graph of the dashboard, whose lines are those that name the graph. */
interface Graph {
  readonly name: string;
  readonly title: string;
  /** What the vertical axis counts. */
  readonly unit: string;
  /** The lines lie on one another, so that their sum shows. */
  readonly isStacked?: boolean;
}

interface Row {
  /** The question that the row answers. */
  readonly title: string;
  /** What an operator looks at, in Markdown. */
  readonly advice: string;
  /** Anchors of headings in docs/operators/on-call.md. */
  readonly sections: readonly string[];
  readonly graphs: readonly Graph[];
}

/** From top to bottom: what wakes people, first. */
export const ROWS = [
  {
    title: 'Do events come in and go out?',
    advice:
      'Nothing sent to `events`: the platform sends nothing. Sent and not attempted: look below at what waits. Many transient or fatal attempts are mostly the endpoint of one customer.',
    sections: ['events-queue', 'an-integration-that-stays-in-trouble'],
    graphs: [
      { name: 'sent', title: 'Sent to each queue', unit: 'messages a minute' },
      {
        name: 'attempts',
        title: 'Attempts by outcome',
        unit: 'attempts in 5 minutes',
        isStacked: true,
      },
      { name: 'success', title: 'Attempts that delivered', unit: '%' },
    ],
  },
  {
    title: 'Does anything wait?',
    advice:
      'Age is what customers notice. Old messages and no function errors or throttles: more comes than `maximumConcurrency` works off.',
    sections: ['events-queue', 'deliveries-queue', 'slow-lane', 'in-flight'],
    graphs: [
      { name: 'age', title: 'Age of the oldest message', unit: 'seconds' },
      { name: 'waiting', title: 'Messages that wait', unit: 'messages' },
      { name: 'in-flight', title: 'Messages in flight', unit: 'messages' },
      { name: 'uncounted', title: 'Changes of the delivery log not counted', unit: 'milliseconds' },
    ],
  },
  {
    title: 'Is it a fault of ours?',
    advice:
      'Nothing is lost while records fail: they come back for 14 days. After a deployment, roll back first. The saved query "faults of ours" shows the errors.',
    sections: [
      'failed-records',
      'deliveries-not-sent',
      'function-errors',
      'delivery-log',
      'statistics',
    ],
    graphs: [
      { name: 'failed', title: 'Records and log writes that failed', unit: 'records' },
      { name: 'errors', title: 'Functions that ended', unit: 'errors in 5 minutes' },
      { name: 'dead-letters', title: 'Dead letters', unit: 'messages' },
      { name: 'schedules', title: 'Schedules that could not send', unit: 'in 5 minutes' },
    ],
  },
  {
    title: 'Does a new version fail?',
    advice:
      'While a release goes on, a line at its threshold takes the new version back by itself, and CloudFormation undoes the deployment.',
    sections: ['gradual-release'],
    graphs: [{ name: 'release', title: 'Faults of a new version', unit: 'a minute' }],
  },
  {
    title: 'Is anything throttled?',
    advice:
      'Functions without concurrency wait; the concurrency is shared with everything else in the account. Throttled tables slow down all that uses them.',
    sections: ['function-throttles', 'callers-are-throttled'],
    graphs: [
      { name: 'throttles', title: 'Functions without concurrency', unit: 'in 5 minutes' },
      { name: 'concurrency', title: 'Functions at work', unit: 'at once' },
      { name: 'table-throttles', title: 'Throttled by tables', unit: 'reads, writes a minute' },
      { name: 'blocked', title: 'Requests over a limit of their caller', unit: 'in 5 minutes' },
    ],
  },
  {
    title: 'Which customers are in trouble?',
    advice:
      'No event is lost: events are pending until the endpoint takes one. Tell the customer after three days. The saved query "failures by reason" names integrations.',
    sections: ['old-pending-events', 'events-set-aside', 'an-integration-that-stays-in-trouble'],
    graphs: [
      { name: 'troubles', title: 'Troubles', unit: 'integrations in 5 minutes' },
      { name: 'pending', title: 'Pending events', unit: 'events in 5 minutes' },
      { name: 'oldest-pending', title: 'Oldest pending event', unit: 'seconds' },
      { name: 'set-aside', title: 'Events set aside', unit: 'events an hour' },
    ],
  },
  {
    title: 'Does the API answer?',
    advice:
      'The saved query "requests by account" tells who calls what. A test waits up to 17 s for an endpoint, a retry up to 25 s.',
    sections: ['api-faults', 'api-latency'],
    graphs: [
      { name: 'requests', title: 'Requests', unit: 'requests in 5 minutes' },
      { name: 'api-faults', title: 'Answers with 5xx', unit: 'answers in 5 minutes' },
      { name: 'latency', title: 'Time to answer', unit: 'milliseconds' },
    ],
  },
] as const satisfies readonly Row[];

/** The graphs that lines can name. Those of costs are not among them. */
export type GraphName = (typeof ROWS)[number]['graphs'][number]['name'];
