/** A graph of the dashboard, whose lines are those that name the graph. */
interface Graph {
  readonly name: string;
  readonly title: string;
  /** Of the vertical axis. */
  readonly unit: string;
  readonly isStacked?: boolean;
}

interface Row {
  /** The question that the row answers. */
  readonly title: string;
  /** How to read the graphs, in Markdown. */
  readonly advice: string;
  /** Anchors of headings in docs/operators/on-call.md. */
  readonly sections: readonly string[];
  readonly graphs: readonly Graph[];
}

/** From top to bottom, the most urgent first. */
export const ROWS = [
  {
    title: 'Do events come in and go out?',
    advice:
      'If nothing is sent to `events`, the platform sends nothing. If events are sent and not attempted, look at the next row. Many transient or fatal attempts usually come from one endpoint.',
    sections: ['canary', 'events-queue', 'integration-in-trouble'],
    graphs: [
      { name: 'sent', title: 'Sent to each queue', unit: 'messages a minute' },
      {
        name: 'attempts',
        title: 'Attempts by outcome',
        unit: 'attempts in 5 minutes',
        isStacked: true,
      },
      { name: 'success', title: 'Attempts that delivered', unit: '%' },
      { name: 'unwanted', title: 'Events that no webhook wants', unit: 'events in 5 minutes' },
      { name: 'canary', title: "The canary's webhook", unit: 'milliseconds' },
    ],
  },
  {
    title: 'Does anything wait?',
    advice:
      'Customers notice the age. Old messages without errors or throttles: more messages come than `maximumConcurrency` allows for.',
    sections: ['events-queue', 'deliveries-queue', 'slow-lane', 'in-flight'],
    graphs: [
      { name: 'age', title: 'Age of the oldest message', unit: 'seconds' },
      { name: 'waiting', title: 'Messages that wait', unit: 'messages' },
      { name: 'in-flight', title: 'Messages in flight', unit: 'messages' },
      { name: 'unread', title: 'Age of unread changes of tables', unit: 'milliseconds' },
    ],
  },
  {
    title: 'Does the service fail?',
    advice:
      'Nothing is lost while messages fail: they are retried for 14 days. After a deployment, roll back first. The saved query "errors" shows the errors.',
    sections: [
      'failed-records',
      'deliveries-not-sent',
      'function-errors',
      'delivery-log',
      'statistics',
      'e-mails-not-sent',
    ],
    graphs: [
      { name: 'failed', title: 'Records and log writes that failed', unit: 'records' },
      { name: 'errors', title: 'Functions that crashed or timed out', unit: 'errors in 5 minutes' },
      { name: 'dead-letters', title: 'Dead letters', unit: 'messages' },
      { name: 'schedules', title: 'Schedules that could not send', unit: 'in 5 minutes' },
    ],
  },
  {
    title: 'Does a new version fail?',
    advice:
      'During a release, a line that reaches its threshold rolls the new version and the whole deployment back.',
    sections: ['gradual-release'],
    graphs: [{ name: 'release', title: 'Faults of a new version', unit: 'a minute' }],
  },
  {
    title: 'Is anything throttled?',
    advice:
      'Throttled functions leave their messages waiting; everything in the account shares the concurrency. Throttled tables delay all functions that use them.',
    sections: ['function-throttles', 'callers-are-throttled'],
    graphs: [
      { name: 'throttles', title: 'Throttled functions', unit: 'in 5 minutes' },
      { name: 'concurrency', title: 'Concurrent executions', unit: 'at once' },
      { name: 'table-throttles', title: 'Throttled by tables', unit: 'reads, writes a minute' },
      { name: 'blocked', title: 'Requests over a limit of their caller', unit: 'in 5 minutes' },
    ],
  },
  {
    title: 'Which customers are in trouble?',
    advice:
      'No event is lost: events are pending until the endpoint accepts one. Tell the customer after three days. The saved query "failures by integration" names integrations.',
    sections: ['old-pending-events', 'events-set-aside', 'integration-in-trouble'],
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
      'The saved query "requests by account" shows the callers. A test waits up to 17 s for an endpoint, a retry up to 25 s.',
    sections: ['api-faults', 'api-latency'],
    graphs: [
      { name: 'requests', title: 'Requests', unit: 'requests in 5 minutes' },
      { name: 'api-faults', title: 'Answers with 5xx', unit: 'answers in 5 minutes' },
      { name: 'latency', title: 'Time to answer', unit: 'milliseconds' },
    ],
  },
] as const satisfies readonly Row[];

/** The graphs that a line can name. */
export type GraphName = (typeof ROWS)[number]['graphs'][number]['name'];
