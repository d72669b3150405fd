import { LINK_MEMBERS } from '../../../core/json-ld/vocabulary.ts';
import { belowBasePath } from '../runtime/base-path.ts';

/** Parts that are not answers of the API: requests to endpoints and requests of callers. */
const NOT_ANSWERED: ReadonlySet<string> = new Set(['webhooks', 'requestBody', 'WebhookDelivery']);

/**
 * The OpenAPI document of an API that is served below the path `base`. The answers of such an API
 * have `base` in their links: so have the examples, and the values and patterns of links in schemas.
 */
export const openApiBelowBasePath = <Document extends object>(
  document: Document,
  base: string,
): Document => (base === '' ? document : (rebased(document, base) as Document));

const rebased = (part: unknown, base: string): unknown => {
  if (Array.isArray(part)) return part.map((item) => rebased(item, base));
  if (!isObject(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      NOT_ANSWERED.has(name) ? value : rebasedMember(name, value, base),
    ]),
  );
};

const rebasedMember = (name: string, value: unknown, base: string): unknown => {
  if (!isObject(value)) return value;
  if (LINK_MEMBERS.has(name)) return linkSchemaBelow(value, base);
  const isAnswer = name === 'value' && '@type' in value;
  return isAnswer ? belowBasePath(value, base) : rebased(value, base);
};

const linkSchemaBelow = (schema: Readonly<Record<string, unknown>>, base: string) => ({
  ...schema,
  ...(typeof schema.const === 'string' && { const: base + schema.const }),
  ...(typeof schema.pattern === 'string' && {
    pattern: schema.pattern.replace(/^\^/, () => `^${escaped(base)}`),
  }),
});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** As a part of a regular expression that matches nothing else. */
const escaped = (base: string): string => base.replaceAll(/[^\w/-]/g, '\\$&');
