import { bodySchemaName } from '../../../core/delivery/resources/webhook-body-resource.ts';
import { EVENT_TYPES } from '../../../core/event/event-types.ts';
import { belowBasePath, PATH_MEMBERS } from '../runtime/base-path.ts';

/** Parts that are not answers of the API: requests to endpoints and requests of callers. */
const NOT_ANSWERED: ReadonlySet<string> = new Set([
  'webhooks',
  'requestBody',
  ...EVENT_TYPES.map(bodySchemaName),
]);

/**
 * The OpenAPI document of an API that is served below the path `base`. The answers of such an API
 * have `base` in their links: so have the examples, and the values and patterns of links in schemas.
 */
export const openApiBelowBasePath = <Document extends object>(
  document: Document,
  base: string,
): Document => (base === '' ? document : (rebased(document, base) as Document));

/**
 * Returns a function that makes the text of the document below a path: a stage's, or one that a
 * domain name is mapped to. Each text is made once.
 */
export const openApiTexts = (createDocument: () => object): ((base: string) => string) => {
  const texts = new Map<string, string>();
  return (base) => {
    const text = texts.get(base) ?? JSON.stringify(openApiBelowBasePath(createDocument(), base));
    texts.set(base, text);
    return text;
  };
};

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
  // The `type` of a schema is a text or a list.
  if (!isObject(value) || Array.isArray(value)) return rebased(value, base);
  if (PATH_MEMBERS.has(name)) return linkSchemaBelow(value, base);
  // No schema has a member `value`: it is that of an example.
  return name === 'value' ? belowBasePath(value, base) : rebased(value, base);
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
