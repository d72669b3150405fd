import { LINK_MEMBERS } from '../../../core/json-ld/vocabulary.ts';
import { FREE_FORM } from '../../../lambdas/api/runtime/base-path.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The address that paths in links are relative to. An emulator serves every API at one host name, so
 * the API's own name is a part of the path there.
 */
export const hostOf = (api: string): string =>
  /^https?:\/\/[^/]+(?:\/_aws\/execute-api\/[^/]+)?/.exec(api)?.[0] ?? api;

/** The path of an API at its host. */
export const basePathOf = (api: string): string => api.slice(hostOf(api).length).replace(/\/$/, '');

/**
 * Removes the path that an API is served at, such as a stage's, from the links of its documents and
 * from `Location`, so that a journey uses the same paths wherever the service runs. Throws for a link
 * without that path.
 */
export const createBasePath = (api: string) => {
  const base = basePathOf(api);

  const pathOf = (link: string): string => {
    if (!link.startsWith(`${base}/`)) throw new Error(`The link ${link} is not below ${base}.`);
    return link.slice(base.length);
  };

  const memberOf = (name: string, value: unknown): unknown => {
    if (FREE_FORM.has(name)) return value;
    return LINK_MEMBERS.has(name) && typeof value === 'string'
      ? pathOf(value)
      : valueWithoutBase(value);
  };

  const valueWithoutBase = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(valueWithoutBase);
    return typeof value === 'object' && value !== null ? withoutBase(value as JsonObject) : value;
  };

  const withoutBase = (document: JsonObject): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(document).map(([name, value]) => [name, memberOf(name, value)]),
    );

  return {
    /** A JSON-LD document as it would be if the API were served at the root of its host. */
    documentAtRoot: (document: Record<string, unknown>): Record<string, unknown> =>
      base === '' || document['@type'] === undefined ? document : withoutBase(document),
    headersAtRoot: (headers: Headers): Headers => {
      const location = headers.get('location');
      if (base === '' || location === null) return headers;
      const atRoot = new Headers(headers);
      atRoot.set('location', pathOf(location));
      return atRoot;
    },
  };
};
