import { settingsFor } from '../../lib/stages.ts';
import { QUIET_PAGE_MS, READ_EVERY_MS } from '../../packages/console/src/api/read-intervals.ts';
import { dollars, table } from '../../tools/docs/markdown.ts';
import { PRICES } from '../cost/prices.ts';

/**
 * A read of a page, such as 30 deliveries: 17 ms of CPU time on 0.58 of a processor, and calls of AWS
 * as of other functions.
 */
export const READ_SECONDS = 0.045;

/** Read units of what a page reads, as `costly-reads.test.ts` measures them for a full account. */
export const READ_UNITS: Readonly<Record<keyof typeof QUIET_PAGE_MS, number>> = {
  deliveries: 25,
  webhook: 1,
  webhooks: 20,
  statistics: 263,
};

/** Of the access log. */
const LOG_BYTES = 450;
const GB = 2 ** 30;

const PAGES = [1, 250, 1_000];
const WORKING_SECONDS = 21 * 8 * 3_600;

const minuteOf = (everyMs: number): number => 60_000 / everyMs;

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

const CALLS_A_MINUTE = sum(Object.values(QUIET_PAGE_MS).map(minuteOf));

const secondOf = (pages: number): string => ((pages * CALLS_A_MINUTE) / 60).toFixed(1);

/** A page has a token, which the authorizer looks up once a minute: as a read of two units. */
const AUTHORIZER = { callsAMinute: 1, units: 2 };

const dollarsAMinute = (memoryMb: number): number => {
  const { apiGateway, cloudwatch, dynamodb, lambda, waf } = PRICES;
  const invocation = lambda.request + READ_SECONDS * (memoryMb / 1_024) * lambda.gbSecond;
  const request =
    apiGateway.request + waf.request + invocation + (LOG_BYTES / GB) * cloudwatch.logsIngestedGb;
  const units = Object.entries(READ_UNITS).map(
    ([what, each]) => each * minuteOf(QUIET_PAGE_MS[what as keyof typeof QUIET_PAGE_MS]),
  );
  return (
    CALLS_A_MINUTE * request +
    AUTHORIZER.callsAMinute * invocation +
    (sum(units) + AUTHORIZER.units) * dynamodb.readUnit
  );
};

export const openPagesDollars = (memoryMb: number): string =>
  table(
    ['Open pages', 'Calls a second', 'A month'],
    PAGES.map((pages) => [
      pages.toLocaleString('en-US'),
      secondOf(pages),
      dollars((pages * dollarsAMinute(memoryMb) * WORKING_SECONDS) / 60),
    ]),
  );

/** By what the limits of prod let through. */
export const openPagesTable = (): string => {
  const { throttling: of } = settingsFor('prod') ?? {};
  if (of === undefined) throw new Error('There is no stage prod.');
  const busy = CALLS_A_MINUTE - minuteOf(READ_EVERY_MS.quiet) + minuteOf(READ_EVERY_MS.changing);
  const ofMethod = minuteOf(READ_EVERY_MS.quiet) / 60;
  const pagesOf = (calls: number, each: number) => Math.floor(calls / each).toLocaleString('en-US');
  const row = (name: string, calls: number, [quiet, changing]: readonly [number, number]) => [
    name,
    pagesOf(calls, quiet),
    pagesOf(calls, changing),
  ];
  return table(
    ['Open pages that a limit lets through', 'nothing happens', 'deliveries change'],
    [
      row('of a token', of.requestsPerMinuteAndToken, [CALLS_A_MINUTE, busy]),
      row('of an address', of.requestsPerMinuteAndAddress, [CALLS_A_MINUTE, busy]),
      row('of all callers, by the rate of a method', of.requestsPerSecond, [
        ofMethod,
        minuteOf(READ_EVERY_MS.changing) / 60,
      ]),
    ],
  );
};
