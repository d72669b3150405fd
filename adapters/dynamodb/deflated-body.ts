import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { BoundedMap } from '../bounded-map.ts';

/**
 * What most bodies have in common, the most common last. Stored bodies refer to this text: another
 * text needs another number, and the old text stays for as long as bodies are kept.
 */
const DICTIONARY = Buffer.from(
  [
    '"phoneCall":{"id":"call_","durationSeconds":0,"keyword":"STOP","keyword":"START",',
    '"error":{"code":"unreachable","detail":"unknown","direction":"out","from":"+1',
    'phone_call.completed contact.opted_out contact.opted_in contact.created ',
    'message.unknown message.failed message.delivered ',
    '{"@context":"/contexts/WebhookDelivery.jsonld","@type":"WebhookDelivery",',
    '"id":"/integrations//deliveries/evt_01","webHook":"/integrations/",',
    '"action":"message.received","timestamp":"2026-11-20T12:00:00.000Z","data":{"message":{',
    '"id":"msg_","body":"","direction":"in","from":"+1","to":"+1"},',
    '"contact":{"id":"con_","name":"","phone":"+1"}}}',
  ].join(''),
);

/** The first byte of a deflated body: the number of its dictionary. */
const DICTIONARY_NUMBER = 1;

/** What zlib takes without being told, and the least that it can be told. */
const MOST_AT_ONCE = 16_384;
const LEAST_AT_ONCE = 64;

/**
 * zlib keeps a buffer of its result's expected size until V8 next looks through the whole heap. By
 * default the buffer has 16 KiB: then small bodies have V8 look through the heap all the time.
 */
const optionsFor = (expectedBytes: number) => ({
  dictionary: DICTIONARY,
  chunkSize: Math.min(Math.max(expectedBytes, LEAST_AT_ONCE), MOST_AT_ONCE),
});

/** The bodies of a batch: one that is listed in the delivery log and stored as pending is there twice. */
const LATEST = 10;
const latest = new BoundedMap<Uint8Array>(LATEST);

/** A body, compressed: a body of 1 KB has about 450 bytes then. The bytes must not be changed. */
export const deflated = (body: string): Uint8Array => {
  const known = latest.get(body);
  if (known !== undefined) return known;
  const raw = deflateRawSync(body, optionsFor(body.length));
  const bytes = Buffer.concat([Buffer.of(DICTIONARY_NUMBER), raw]);
  latest.set(body, bytes);
  return bytes;
};

export const inflated = (bytes: Uint8Array): string => {
  const [number] = bytes;
  if (number !== DICTIONARY_NUMBER) throw new Error(`a body has the unknown dictionary ${number}`);
  return inflateRawSync(bytes.subarray(1), optionsFor(4 * bytes.length)).toString();
};
