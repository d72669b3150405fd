import { escaped } from '../../html.ts';
import { type EndpointHeaders, FILTERED } from '../../integration/endpoint-headers.ts';

const MOST_KEPT = 1_024;

/** A shorter text is a part of ordinary words: it is filtered where it is a word of its own. */
const SHORT = 8;

/** Of a value that the answer was cut off in. */
const SHORTEST_PART = 4;

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** How programs write a text into an answer: as it is, and in JSON, HTML, URLs and base64. */
const ENCODINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  inJson,
  (text) => inJson(text).replaceAll('/', '\\/'),
  (text) => inJson(inJson(text)),
  escaped,
  encodeURIComponent,
  (text) => new URLSearchParams({ '': text }).toString().slice(1),
  (text) => Buffer.from(text).toString('base64'),
];

/** A value, what follows its scheme, and the name and password of Basic. */
const secretsIn = (value: string): readonly string[] => {
  const [, scheme = '', credentials = ''] = /^(\S+) +(.+)$/.exec(value) ?? [];
  const decoded = /^basic$/i.test(scheme) ? Buffer.from(credentials, 'base64').toString() : '';
  const password = decoded.slice(decoded.indexOf(':') + 1);
  return [value, credentials, decoded, password].filter((text) => text !== '');
};

const pattern = (form: string): string => {
  const literal = form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return form.length < SHORT ? `(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])` : literal;
};

/** The end of a text that may be the beginning of one of the forms. */
const cutLength = (text: string, forms: readonly string[]): number => {
  for (
    let length = Math.min(text.length, forms[0]?.length ?? 0);
    length >= SHORTEST_PART;
    length -= 1
  ) {
    const end = text.slice(-length);
    if (forms.some((form) => form.startsWith(end))) return length;
  }
  return 0;
};

/**
 * The start of an endpoint's answer, without the values of the customer's own headers: those who read
 * the log may not know them. A value that the answer encodes together with other text stays.
 */
export const filterAnswer = (text: string, headers: EndpointHeaders<string>): string => {
  const values = Object.values(headers).flatMap(secretsIn);
  if (values.length === 0 || text === '') return text;
  const forms = [
    ...new Set(values.flatMap((value) => ENCODINGS.map((encode) => encode(value)))),
  ].toSorted((one, other) => other.length - one.length);
  const whole = text.replaceAll(new RegExp(forms.map(pattern).join('|'), 'gi'), FILTERED);
  const cut = cutLength(whole, forms);
  return (cut === 0 ? whole : whole.slice(0, -cut) + FILTERED).slice(0, MOST_KEPT);
};
