import { escapeControls } from '../../adapters/terminal/escape-controls.ts';
import type { ReceivedPost } from './received-post.ts';
import { shorten, type Terminal } from './terminal.ts';

const COLUMNS = [
  ['EVENT', 22],
  ['X-SERVICE-SIGNATURE', 21],
  ['STANDARD WEBHOOKS', 19],
  ['AFTER', 10],
  ['DATA', 0],
] as const;

const WIDTH_BEFORE_DATA = COLUMNS.reduce((sum, [, width]) => sum + width, 2);
const MINIMUM_DATA_WIDTH = 20;

export const printHeading = (terminal: Terminal): void => {
  const titles = COLUMNS.map(([title, width]) => title.padEnd(width));
  terminal.print(terminal.dim(`  ${titles.join('')}`));
};

export const printPost = (
  post: ReceivedPost,
  { isRepeated, terminal }: { isRepeated: boolean; terminal: Terminal },
): void => {
  const { delivery, verified } = post;
  const verdict = (isVerified: boolean, column: 1 | 2): string => {
    const text = (isVerified ? '✓ verified' : '✗ not valid').padEnd(COLUMNS[column][1]);
    return isVerified ? terminal.good(text) : terminal.bad(text);
  };
  const event = shorten(escapeControls(delivery?.action ?? 'not a delivery'), COLUMNS[0][1] - 2);
  const data = `${isRepeated ? '(again) ' : ''}${summary(delivery?.data ?? {})}`;
  const dataWidth = Math.max(terminal.columns - WIDTH_BEFORE_DATA - 1, MINIMUM_DATA_WIDTH);
  terminal.print(
    [
      '  ',
      event.padEnd(COLUMNS[0][1]),
      verdict(verified.serviceSignature, 1),
      verdict(verified.standardWebhooks, 2),
      age(post).padEnd(COLUMNS[3][1]),
      terminal.dim(shorten(data, dataWidth)),
    ].join(''),
  );
};

/** Time from the event to the POST; a dash if the event is ten minutes old or older. */
const age = ({ delivery, receivedAt }: ReceivedPost): string => {
  const ageMs = receivedAt.getTime() - Date.parse(delivery?.timestamp ?? '');
  if (!(ageMs >= 0 && ageMs < 600_000)) return '-';
  return ageMs < 10_000 ? `${ageMs} ms` : `${Math.round(ageMs / 1_000)} s`;
};

/** The values of an event's data that let people tell events apart. */
const summary = (data: Readonly<Record<string, unknown>>): string =>
  escapeControls(leaves(data).join(' · '));

const OMITTED = new Set(['id', 'direction']);

const leaves = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).flatMap(([name, member]) =>
    OMITTED.has(name) ? [] : leaves(member),
  );
};
