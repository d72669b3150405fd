import { inFile, type Mutation } from './mutation.ts';

/** Rules of routing, attempts, outcomes, backoff and signatures. */
export const DELIVERY_MUTATIONS: readonly Mutation[] = [
  ...inFile(
    'core/delivery/route-event.ts',
    ['delivery/route-event', 'event/events'],
    [
      [
        'An event goes only to integrations that are subscribed to its type.',
        'integration.settings.actions[event.type] && isTaken',
        'isTaken',
      ],
      [
        'An event that happened before its integration became inactive is kept.',
        '(inactiveSince !== undefined && Date.parse(occurredAt) < Date.parse(inactiveSince))',
        'false',
      ],
      [
        'An inactive integration keeps events if it is to.',
        "settings.whileInactive === 'keep' ||",
        '',
      ],
      [
        'A body of exactly 256 KiB is delivered.',
        'bytes > MAX_BODY_BYTES',
        'bytes >= MAX_BODY_BYTES',
      ],
      [
        'An event that was received before is routed as a repetition.',
        "wasReceivedBefore ? 'rerouted' : 'event'",
        "'event'",
      ],
      [
        'The fault of one event leaves the others of its batch alone.',
        'faults.set(received, fault);\n        return [];',
        'throw fault;',
      ],
      [
        'Deliveries to slow endpoints go to the slow lane.',
        "enqueue(slowLane, ofLane('slow'))",
        "enqueue(deliveries, ofLane('slow'))",
      ],
      [
        'The body has the instant of the event.',
        'timestamp: event.occurredAt',
        'timestamp: event.id',
      ],
    ],
  ),
  ...inFile(
    'core/delivery/lanes.ts',
    ['delivery/sending/slow-lane'],
    [
      [
        'One attempt of 15 s does not move an endpoint to the slow lane.',
        'SLOW_LANE_SCORE_MS = 16_000',
        'SLOW_LANE_SCORE_MS = 14_000',
      ],
      [
        'An endpoint leaves the slow lane ten minutes after its latest slow attempt.',
        'NOTE_COUNTS_MS = 600_000',
        'NOTE_COUNTS_MS = 6_000_000',
      ],
    ],
  ),
  ...inFile(
    'core/delivery/attempt.ts',
    ['delivery/sending/outcome-and-backoff'],
    [
      ['504 is transient, and 503 is not.', 'GATEWAY_TIMEOUT = 504', 'GATEWAY_TIMEOUT = 503'],
      ['300 is not a success.', 'result.statusCode < 300', 'result.statusCode <= 300'],
      [
        'A refused address is fatal.',
        "new Set(['address-refused', 'not-sent'])",
        "new Set(['not-sent'])",
      ],
      [
        'No answer is transient.',
        "NEVER_SENT.has(result.reason) ? 'fatal' : 'transient'",
        "'fatal'",
      ],
    ],
  ),
  ...inFile(
    'core/delivery/sending/backoff.ts',
    ['delivery/sending/outcome-and-backoff', 'delivery/sending/deliver-webhook-transient'],
    [
      ['The first delay is 15 s.', '2 ** (attempt.number - 1)', '2 ** attempt.number'],
      [
        'No delay is longer than an hour.',
        'Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** (attempt.number - 1))',
        'policy.firstDelayMs * 2 ** (attempt.number - 1)',
      ],
      ['Delays have a jitter.', 'JITTER = 0.2', 'JITTER = 0'],
      ['A longer Retry-After wins.', 'Math.max(jittered, askedFor)', 'jittered'],
      [
        'A Retry-After of more than an hour counts as an hour.',
        'Math.min(policy.maxDelayMs, attempt.retryAfterMs ?? 0)',
        '(attempt.retryAfterMs ?? 0)',
      ],
      [
        'The last attempt is at the end of the window.',
        'Math.min(leftMs, Math.max(jittered, askedFor))',
        'Math.max(jittered, askedFor)',
      ],
      ['No attempt follows the end of the window.', 'if (leftMs <= 0)', 'if (leftMs < 0)'],
      [
        'The window begins with the first attempt.',
        'since: backoff?.since ?? since',
        'since: since',
      ],
      [
        'A slot is free at the instant it ends.',
        '(slots[slot] ?? 0) <= nowMs',
        '(slots[slot] ?? 0) < nowMs',
      ],
    ],
  ),
  ...inFile(
    'core/delivery/sending/deliver-webhook.ts',
    [
      'delivery/sending/deliver-webhook',
      'delivery/sending/probes',
      'lambdas/deliveries/deliver-webhook',
    ],
    [
      [
        'A confirmed delivery is not sent again.',
        "logged === 'delivered' && message.delivery.trigger !== 'manual'",
        'false',
      ],
      [
        'A resend is sent even if it was confirmed.',
        " && message.delivery.trigger !== 'manual'",
        '',
      ],
      [
        'Events of a failed or busy integration are not attempted.',
        '(isStopped(integration) && !isProbe && !continuesReplay)',
        'false',
      ],
      ['Events of an inactive integration are not attempted.', '!integration.active || ', ''],
      [
        'Only a busy integration has probes.',
        "integration.trouble?.kind === 'busy' && delivery",
        'delivery',
      ],
      [
        'Receives count as attempts if the log cannot be read.',
        "logged === 'unknown' ? receiveCount - 1 : known",
        'known',
      ],
    ],
  ),
  ...inFile(
    'core/delivery/sending/settle-attempt.ts',
    [
      'delivery/sending/deliver-webhook-transient',
      'delivery/sending/probes',
      'delivery/sending/refusals',
    ],
    [
      [
        '20 transient outcomes in a row make an integration busy.',
        "count: 'transients', most: ports.busyAfter",
        "count: 'transients', most: ports.busyAfter + 1",
      ],
      [
        'Attempts of one delivery count once towards busy.',
        'receiveCount === 1 && delivery.backoff === undefined',
        'true',
      ],
      [
        'A few probes back off while nothing is confirmed.',
        'inTrouble || confirmsNothing ? ports.backoffLimits.probes : ports.backoffLimits.most',
        'ports.backoffLimits.most',
      ],
      [
        'Only probes back off once nothing is confirmed for 7.5 s.',
        'SILENT_STREAK_MS = 7_500',
        'SILENT_STREAK_MS = 75_000',
      ],
      [
        'A confirmation ends the failure that came of a refusal before it.',
        'made.isRepeated === true && (await endFailureOf(queued.delivery, startedAt))',
        'false',
      ],
      [
        'A confirmation ends the failure that came of a refusal beside it.',
        'deliveredAt && (await endFailureOf(delivery, new Date(deliveredAt)))',
        'false',
      ],
      [
        'A refused event is stored before it is known whether it was confirmed meanwhile.',
        'await ports.storePending(afterRefusal(refused), queued);',
        '',
      ],
    ],
  ),
  ...inFile(
    'core/delivery/sending/make-attempt.ts',
    [
      'delivery/sending/unopenable-secrets',
      'delivery/sending/deliver-webhook',
      'delivery/sending/test-integration',
    ],
    [
      [
        "The customer's own headers are shown without their values.",
        'requestWith(filtered(secrets.headers))',
        'requestWith(secrets.headers)',
      ],
      [
        'A secret that cannot be opened now makes no attempt.',
        '  throw fault;',
        '  return new SecretUnreadable();',
      ],
      [
        'A confirmed delivery is not sent again because the log failed.',
        'return { ...made, recordingFault };',
        'throw recordingFault;',
      ],
    ],
  ),
  ...inFile(
    'core/delivery/trouble/begin-trouble.ts',
    ['delivery/trouble/', 'delivery/sending/deliver-webhook-transient'],
    [
      [
        'There is no trouble without a schedule.',
        'if (stored.trouble === undefined) await ports.schedules.ensure(epoch);',
        '',
      ],
      [
        'An attempt of an earlier epoch begins no trouble.',
        'if (stored?.epoch !== epoch.epoch) return false;',
        '',
      ],
      [
        'Outcomes of attempts side by side are not in a row.',
        'transients: 2_000, refusals: 5_000',
        'transients: 0, refusals: 0',
      ],
    ],
  ),
  ...inFile(
    'core/delivery/signature-headers.ts',
    ['delivery/signature-headers'],
    [
      ['Signatures use SHA-256.', "createHmac('sha256'", "createHmac('sha512'"],
      [
        'The key of Standard Webhooks is what follows whsec_, decoded.',
        "secret.slice(STANDARD_WEBHOOKS_PREFIX.length), 'base64'",
        "secret, 'utf8'",
      ],
      [
        'Id, timestamp and body are signed in this order.',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
        '${deliveryId}.${timestampS}',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
        '${timestampS}.${deliveryId}',
      ],
      [
        'An expired secret does not sign.',
        'inForce(previousSecrets, sentAt)',
        '(previousSecrets ?? [])',
      ],
      ['A prepared secret signs, too.', '[webhookSecret, ...next, ', '[webhookSecret, '],
    ],
  ),
  ...inFile(
    'core/delivery/search/search-deliveries.ts',
    ['delivery/search/'],
    [
      [
        'A page that is full has a next one only if more is found.',
        'if (found.length > limit)',
        'if (found.length >= limit)',
      ],
    ],
  ),
  ...inFile(
    'core/delivery/statistics/tally.ts',
    ['delivery/statistics/'],
    [['95 % of the answers come within the p95.', '0.95 * total', '0.5 * total']],
  ),
];
