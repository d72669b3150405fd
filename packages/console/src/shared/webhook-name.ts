import type { Integration } from '../api/resources.ts';

const MOST = 60;

/**
 * An address without its scheme: "hooks.example.com/in?token=…". Values of the query may be secrets,
 * which only the settings show. A long address is shortened in the middle.
 */
export const addressInWords = (baseUrl: string): string => {
  const { host, pathname, searchParams } = new URL(baseUrl);
  const shown = [...searchParams].map(([name, value]) => (value === '' ? '…' : `${name}=…`));
  const query = [...new Set(shown)].join('&');
  const address = `${host}${pathname === '/' ? '' : pathname}${query && `?${query}`}`;
  if (address.length <= MOST) return address;
  const half = (MOST - 1) / 2;
  return `${address.slice(0, Math.ceil(half))}…${address.slice(-Math.floor(half))}`;
};

/** The name of a webhook for people, wherever it is not being changed. */
export const webhookName = ({
  description,
  config,
}: Pick<Integration, 'description'> & {
  readonly config: Pick<Integration['config'], 'baseUrl'>;
}): string => description ?? addressInWords(config.baseUrl);
