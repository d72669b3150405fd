import type { Integration } from '../../api/resources.ts';
import { byUrgency, statusInWords } from '../../shared/status-words.ts';
import { addressInWords, webhookName } from '../../shared/webhook-name.ts';

/** What the list shows, and in which order. */
export interface ListView {
  /** A part of an address, a description or an id. */
  readonly text: string;
  /** Empty for all. */
  readonly status: string;
  readonly order: string;
  /** Rows of a page. */
  readonly size: string;
}

/** Each row needs a call for its numbers, so a page has few rows unless the user wants more. */
export const SIZES = ['10', '25', '50'].map((value) => ({ value, label: value }));

type Compare = (a: Integration, b: Integration) => number;

const newestFirst: Compare = (a, b) => b.createdAt.localeCompare(a.createdAt);
const troubleFirst: Compare = (a, b) => byUrgency(a.status, b.status) || newestFirst(a, b);

export const ORDERS: readonly { value: string; label: string; compare: Compare }[] = [
  { value: 'trouble', label: 'Trouble first', compare: troubleFirst },
  { value: 'newest', label: 'Newest first', compare: newestFirst },
  {
    value: 'name',
    label: 'Name',
    compare: (a, b) => webhookName(a).localeCompare(webhookName(b)),
  },
];

export const FIRST_VIEW: ListView = { text: '', status: '', order: 'trouble', size: '10' };

const ALL = { value: '', label: 'All' };

/** The statuses that there are, with the number of webhooks. */
export const statusesOf = (integrations: readonly Integration[]) => [
  ALL,
  ...[...Map.groupBy(integrations, ({ status }) => status)]
    .toSorted(([a], [b]) => byUrgency(a, b))
    .map(([status, all]) => ({
      value: status,
      label: `${statusInWords(status).word} (${all.length})`,
    })),
];

/** The webhooks that the view shows, in its order. A status that no webhook has any more shows all. */
export const inView = (
  integrations: readonly Integration[],
  { text, status, order }: ListView,
): readonly Integration[] => {
  const isThere = integrations.some((integration) => integration.status === status);
  return integrations
    .filter((integration) => !isThere || integration.status === status)
    .filter((integration) => hasText(integration, text.trim().toLowerCase()))
    .toSorted(ORDERS.find(({ value }) => value === order)?.compare ?? troubleFirst);
};

/** An address may be looked for as it is called, or as it is shown. */
const hasText = ({ id, description = '', config: { baseUrl } }: Integration, text: string) =>
  [id, description, baseUrl, addressInWords(baseUrl)].some((part) =>
    part.toLowerCase().includes(text),
  );
