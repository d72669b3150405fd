import { type EndpointHeaders, FILTERED } from '../../integration/endpoint-headers.ts';
import { readingsOf } from './escaped-text.ts';

const MOST_KEPT = 1_024;

/** So many characters in a row of a value are filtered; fewer are a part of ordinary words. */
const PART = 8;

/** Of a value that the answer was cut off in. */
const SHORTEST_END = 4;

/** A value as answers have it, and how many characters of this form have a part of the value. */
interface Form {
  readonly text: string;
  readonly part: number;
}

/** A value, what follows its scheme, and the name and password of Basic. */
const secretsIn = (value: string): readonly string[] => {
  const [, scheme = '', credentials = ''] = /^(\S+) +(.+)$/.exec(value) ?? [];
  const decoded = /^basic$/i.test(scheme) ? Buffer.from(credentials, 'base64').toString() : '';
  const password = decoded.slice(decoded.indexOf(':') + 1);
  return [value, credentials, decoded, password].filter((text) => text !== '');
};

/** Behind so many bytes of other text, without what depends on text around it. */
const inBase64 = (secret: string, behind: number): string => {
  const bytes = Buffer.concat([Buffer.alloc(behind), Buffer.from(secret)]);
  const bits = 8 * bytes.length;
  const end = behind === 0 ? Math.ceil(bits / 6) : Math.floor(bits / 6);
  return bytes.toString('base64').slice(Math.ceil((8 * behind) / 6), end);
};

/** `readingsOf` sees through the escapes of JSON, HTML and URLs; other alphabets are forms. */
const formsOf = (secret: string): readonly Form[] => {
  const hex = { text: Buffer.from(secret).toString('hex'), part: 2 * PART };
  const shifted = [1, 2].map((behind) => ({ text: inBase64(secret, behind), part: PART }));
  return [
    { text: secret, part: PART },
    { text: inBase64(secret, 0), part: PART },
    ...[...shifted, hex].filter(({ text }) => text.length >= PART),
  ].flatMap(({ text, part }) => readingsOf(text).map((reading) => ({ text: reading.text, part })));
};

/** A form that is shorter than a part is filtered where it is a word of its own. */
const wordsIn = (text: string, forms: readonly Form[]) => {
  const words = forms.flatMap(({ text: word, part }) =>
    word !== '' && word.length < part ? word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&') : [],
  );
  if (words.length === 0) return [];
  const pattern = new RegExp(`(?<![a-z0-9])(?:${words.join('|')})(?![a-z0-9])`, 'g');
  return [...text.matchAll(pattern)].map(({ 0: { length }, index }) => [index, index + length]);
};

const partsIn = (text: string, forms: readonly Form[]) =>
  [PART, 2 * PART].flatMap((part) => {
    const parts = new Set<string>();
    for (const form of forms) {
      if (form.part !== part) continue;
      for (let at = 0; at + part <= form.text.length; at += 1) {
        parts.add(form.text.slice(at, at + part));
      }
    }
    return Array.from({ length: text.length }, (_, at) => at)
      .filter((at) => parts.has(text.slice(at, at + part)))
      .map((at) => [at, at + part]);
  });

/** The end of a text that may be the beginning of a form, perhaps within an escape. */
const endIn = (text: string, forms: readonly Form[]) => {
  const whole = text.replace(/(?:%[0-9a-f]?|\\+(?:u[0-9a-f]{0,3})?|&#?[a-z0-9]{0,6}|\.\.\.)$/, '');
  for (let length = 2 * PART - 1; length >= SHORTEST_END; length -= 1) {
    const end = whole.slice(-length);
    if (end.length === length && forms.some((form) => form.text.startsWith(end))) {
      return [[whole.length - length, text.length]];
    }
  }
  return [];
};

const without = (text: string, isSecret: Uint8Array): string => {
  let shown = '';
  for (let at = 0; at < text.length; at += 1) {
    if (!isSecret[at]) shown += text[at];
    else if (!isSecret[at - 1]) shown += FILTERED;
  }
  return shown;
};

/**
 * The start of an endpoint's answer, without the values of the customer's own headers, and without
 * eight characters in a row of one: those who read the log may not know them.
 */
export const filterAnswer = (text: string, headers: EndpointHeaders<string>): string => {
  const secrets = new Set(Object.values(headers).flatMap(secretsIn));
  if (secrets.size === 0 || text === '') return text;
  const forms = [...secrets].flatMap(formsOf);
  const isSecret = new Uint8Array(text.length);
  for (const reading of readingsOf(text)) {
    for (const [from = 0, to = 0] of [wordsIn, partsIn, endIn].flatMap((find) =>
      find(reading.text, forms),
    )) {
      isSecret.fill(1, reading.starts[from], reading.starts[to]);
    }
  }
  return without(text, isSecret).slice(0, MOST_KEPT);
};
