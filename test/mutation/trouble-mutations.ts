import { inFile, type Mutation } from './mutation.ts';

/** Rules of refusals, failure, retries, replays, recoveries and set-aside events. */
export const TROUBLE_MUTATIONS: readonly Mutation[] = [
  ...inFile(
    'core/delivery/sending/refusal.ts',
    ['delivery/sending/refusals', 'delivery/sending/set-aside'],
    [
      [
        'A refusal of a confirmed delivery changes nothing.',
        "reading.logged === 'delivered'",
        'false',
      ],
      [
        'An event is set aside only after another was confirmed in between.',
        ' && confirmedAt > refusedAt',
        '',
      ],
      [
        'A refusal before the latest change of settings sets no event aside.',
        'refusedAt >= updatedAt',
        'true',
      ],
      [
        'An event of a window is set aside only when the window is over.',
        'window === undefined || !isOver ||',
        'window === undefined ||',
      ],
      [
        'An event is not set aside after receives that ended without an attempt.',
        ' || !showsAttempts(reading, endedAt, ports)',
        '',
      ],
      [
        'A change of settings begins the window of a refused event anew.',
        "(backoff?.since ?? '') >= integration.updatedAt",
        'true',
      ],
      [
        'The third attempt of a refused event is later than the second.',
        '[1 / 12, 1.75, 5.75]',
        '[1 / 12]',
      ],
      [
        'A late copy of a refused event is not judged again.',
        "if (isRefusedBefore) return 'refused-before';",
        '',
      ],
      [
        'A replayed refusal is tolerated only while others are confirmed.',
        '(await hasConfirmedOthers(refused, ports)));\n    if (!mayContinue)',
        'true);\n    if (!mayContinue)',
      ],
      ['A refused new event fails the integration.', '(isReplayed(delivery) &&', '(true &&'],
      [
        'An integration that continues tolerates refusals.',
        "integration.settings.onFatalError === 'continue' ||",
        '',
      ],
      [
        '20 tolerated refusals in a row fail the integration.',
        'most: ports.failedAfter',
        'most: ports.failedAfter + 1',
      ],
      ['Those that ask to wait do so after a minute.', '? LIMITED_MS : 0', '? 0 : 0'],
      [
        'An event that is refused again counts once.',
        "if (isCounted(refused, ports)) return 'tolerated';",
        '',
      ],
    ],
  ),
  ...inFile(
    'core/delivery/sending/retry-hourly.ts',
    ['delivery/sending/retry-hourly'],
    [
      [
        'A repeated message makes the attempts of an hour once.',
        '!(await claimRetry(integration, { ...message, next }, ports))',
        'false',
      ],
      [
        'A schedule that fires early makes the attempts of its hour.',
        'claimedAt.getTime() - retryIntervalMs / 2',
        'claimedAt.getTime() - retryIntervalMs',
      ],
      [
        'A retry without success moves the schedule.',
        'ports.schedules.move(schedule, next)',
        'Promise.resolve()',
      ],
      [
        'A schedule that cannot be moved does not repeat the attempts.',
        '(moveFault: unknown) => ({ ...result, moveFault }),',
        '',
      ],
      ['A schedule moves at least a fifth of an hour.', '(4 + random()) / 20', 'random() / 20'],
      [
        'The schedule of a waiting integration stays while an event is pending.',
        'waits && (await hasPending(id, ports))',
        'waits && false',
      ],
      ['A schedule without work is removed.', 'await ports.schedules.remove(schedule);', ''],
    ],
  ),
  ...inFile(
    'core/delivery/sending/events-to-retry.ts',
    ['delivery/sending/retry-pending'],
    [
      ['The second attempt is of the newest event.', 'yield newest;', ''],
      ['There is a third attempt.', 'if (drawn !== undefined) yield { ...drawn, walkedTo };', ''],
      [
        'Of the oldest ten events, the one with the fewest attempts is retried.',
        'a.delivery.priorAttempts - b.delivery.priorAttempts',
        '0',
      ],
      ['A confirmed event is not retried.', "logged !== 'delivered' ||", 'true ||'],
    ],
  ),
  ...inFile(
    'core/delivery/sending/retry-pending.ts',
    ['delivery/sending/retry-pending', 'delivery/sending/retry-now'],
    [
      [
        'A confirmed event ends the retry.',
        '(isConfirmed(ended) || ended.isOutdated) && resolve(true)',
        'ended.isOutdated && resolve(true)',
      ],
      [
        'A confirmed event ends the trouble.',
        'await ports.troubles.end(integration, { confirmedAt })',
        'false',
      ],
      [
        'A manual retry leaves an integration busy whose probes back off.',
        "trigger === 'manual' && integration.trouble?.kind === 'busy'",
        'false',
      ],
      [
        'A retry counts the attempts of an event.',
        'await ports.pendingEvents.countAttempt(pending, isFatal ? afterRefusal(refused) : {});',
        ';',
      ],
    ],
  ),
  ...inFile(
    'core/delivery/pending/run-replay.ts',
    ['delivery/pending/'],
    [
      [
        'A replay stops when its integration fails.',
        "if (!canReplay(integration)) return 'stopped';",
        '',
      ],
      [
        'A resend that waited is sent even if it was confirmed.',
        "delivery.trigger === 'manual' ? replayed :",
        '',
      ],
      ['A replay of what is due leaves the rest.', '!onlyDue || ', 'true || '],
      [
        'What is replayed is pending no more.',
        'removal = awaitedLater(ports.pendingEvents.removeAllAsRead(due));',
        '',
      ],
    ],
  ),
  ...inFile(
    'core/delivery/pending/pace.ts',
    ['delivery/pending/'],
    [
      ['A replay grows threefold.', 'const GROWTH = 3;', 'const GROWTH = 30;'],
      [
        'A pace that the endpoint does not bear becomes slower.',
        'Math.floor(size / SHRINKAGE)',
        'Math.floor(size)',
      ],
      ['A single delivery is not too fast.', 'size > 1 &&', 'size > 0 &&'],
      [
        'An answer that speaks of the request says nothing of the pace.',
        '!speaksOfRequest(statusOf(one))',
        'one !== undefined',
      ],
      [
        'A step is judged by nearly all of its sample.',
        'UNANSWERED_SHARE = 1 / 4',
        'UNANSWERED_SHARE = 3 / 4',
      ],
      [
        'An overloaded endpoint rests.',
        'if (restMs > 0 || !hasSuccess) await pause(restMs || REST_MS);',
        '',
      ],
    ],
  ),
  ...inFile(
    'core/delivery/trouble/settings-change.ts',
    ['integration/change-integration'],
    [
      [
        'A change of settings replays what a trouble has kept.',
        '(!stored.active || stored.trouble !== undefined)',
        '!stored.active',
      ],
    ],
  ),
  ...inFile(
    'core/delivery/trouble/troubles.ts',
    ['delivery/trouble/'],
    [['The end of a trouble requests a replay.', 'await requestReplay();', '']],
  ),
  ...inFile(
    'core/delivery/sending/store-event.ts',
    ['delivery/sending/'],
    [
      ['An event that is set aside twice counts once.', 'if (isNew) await', 'await'],
      [
        'Nothing is set aside for a deleted integration.',
        'if (integration === undefined) await ports.setAsideEvents.remove(delivery);',
        '',
      ],
      [
        'An event that is stored after its epoch ended has a schedule again.',
        'now.epoch === read.epoch',
        'true',
      ],
    ],
  ),
  ...inFile(
    'core/delivery/sending/delivery-batch.ts',
    ['delivery/sending/'],
    [
      [
        'A confirmed probe replays what is due.',
        'if (wasBusy) await replays.request(integration, { onlyDue: true });',
        '',
      ],
    ],
  ),
  ...inFile(
    'core/delivery/pending/store-pending.ts',
    ['delivery/pending/'],
    [
      [
        'An event that is stored after the last replay is replayed.',
        'else if (canDeliver(integration))',
        'else if (false)',
      ],
      [
        'Nothing is pending for a deleted integration.',
        'if (integration === undefined) await',
        'if (false) await',
      ],
      [
        'There is one reminder a day.',
        'HOURS_BETWEEN_REMINDERS = 24',
        'HOURS_BETWEEN_REMINDERS = 12',
      ],
      ['A webhook may rest for an hour.', 'isPast(inactiveSince, 1)', 'isPast(inactiveSince, 0)'],
    ],
  ),
  ...inFile(
    'core/delivery/recovery/resend-delivery.ts',
    ['delivery/recovery/'],
    [['A test is not sent again.', 'if (isTest(logged))', 'if (false)']],
  ),
  ...inFile(
    'core/delivery/recovery/run-recovery.ts',
    ['delivery/recovery/'],
    [
      ['A recovery sends an event once.', '!enqueued.has(event.id) && ', ''],
      ['A recovery leaves out what is under way.', ' && !isUnderWay({ latestAttempt }, until)', ''],
      [
        'A recovery leaves out events after its request.',
        'occurredAt(logged) <= until.getTime()',
        'true',
      ],
    ],
  ),
];
