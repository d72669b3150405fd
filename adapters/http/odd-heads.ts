import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';

export const MAX_HEAD_BYTES = 65_536;

/**
 * Reads the heads of answers as leniently as curl does: Node's parser refuses many that other clients
 * read, and its lenient mode some of them, too, while it reads bodies less strictly. An odd head is
 * written anew before the parser gets it. What cannot be repaired is left to the parser to refuse.
 * @param onOddHead called before the parser gets the repaired head
 */
export const repairOddHeads = (request: ClientRequest, onOddHead: () => void): void => {
  request.once('socket', (socket) => {
    // Node has just added its one listener. Without it nothing is repaired.
    const [parse] = socket.listeners('data');
    if (parse !== undefined) holdHeads(socket, parse as Parse, onOddHead);
  });
};

type Parse = (this: Socket, bytes: Buffer) => void;

const END_OF_HEAD = /\n\r{0,2}\n/;
/** Of the end of a head, all but its last. */
const SEAM_BYTES = 3;
const INTERIM = /^\S+ +1(?!01)/;

/** The parser gets each head whole, and everything after the last head as it arrives. */
const holdHeads = (socket: Socket, parse: Parse, onOddHead: () => void): void => {
  let held: Buffer = Buffer.alloc(0);
  const read = (bytes: Buffer): void => {
    const searchFrom = Math.max(0, held.length - SEAM_BYTES);
    held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
    const end = END_OF_HEAD.exec(held.toString('latin1', searchFrom));
    if (end === null) {
      if (held.length > MAX_HEAD_BYTES || !mayBeginHead(held)) release();
      return;
    }
    const length = searchFrom + end.index + end[0].length;
    const head = held.toString('latin1', 0, length);
    const repaired = length > MAX_HEAD_BYTES ? undefined : repairedHead(head);
    if (repaired !== undefined) {
      onOddHead();
      held = Buffer.concat([Buffer.from(repaired, 'latin1'), held.subarray(length)]);
    }
    if (INTERIM.test(head)) readOn((repaired ?? head).length);
    else release();
  };
  const readOn = (interimBytes: number): void => {
    const [interim, rest] = [held.subarray(0, interimBytes), held.subarray(interimBytes)];
    held = Buffer.alloc(0);
    parse.call(socket, interim);
    if (rest.length > 0 && !socket.destroyed) read(rest);
  };
  const release = (): void => {
    socket.on('data', parse).off('data', read);
    parse.call(socket, held);
  };
  socket.on('data', read).off('data', parse);
};

const BEGINNING = 'HTTP/1.';

const mayBeginHead = (bytes: Buffer): boolean =>
  BEGINNING.startsWith(bytes.toString('latin1', 0, BEGINNING.length).toUpperCase());

const FIELD = String.raw`(?!content-length:|transfer-encoding:)[!#$%&'*+\-.^\x60|~\w]+:[\t\x20-\x7e\x80-\xff]*\r\n`;
const FRAMING = String.raw`(?:content-length:[\t ]*\d+|transfer-encoding:[\t ]*chunked)[\t ]*\r\n`;
/** At most one field says where the body ends. */
const WELL_FORMED = new RegExp(
  String.raw`^HTTP/1\.[01] \d{3}(?: [\t\x20-\x7e\x80-\xff]*)?\r\n(?:${FIELD})*(?:${FRAMING}(?:${FIELD})*)?\r\n$`,
  'i',
);

const STATUS_LINE = /^(HTTP\/1\.[01]) +([1-9]\d\d)(?!\d)[^\n]*\n(?![\t ])/i;

/** The same status, and the fields that can be read. None if the head is well-formed or beyond repair. */
const repairedHead = (head: string): string | undefined => {
  if (head.startsWith('HTTP') && WELL_FORMED.test(head)) return undefined;
  const [statusLine, version = '', status] = STATUS_LINE.exec(head) ?? [];
  if (statusLine === undefined || head.includes('\0')) return undefined;
  const unfolded = head.slice(statusLine.length).replaceAll(/\r?\n[\t ]+/g, ' ');
  const fields = unfolded.split('\n').flatMap(repairedField);
  const isChunked = fields.includes(CHUNKED);
  const kept = fields.filter((field) => !(isChunked && field.startsWith('content-length:')));
  return [`${version.toUpperCase()} ${status}`, ...new Set(kept), '', ''].join('\r\n');
};

const CHUNKED = 'transfer-encoding: chunked';

/** No field if the name is none that anyone could ask for. */
const repairedField = (line: string): readonly string[] => {
  const [, name = '', text = ''] = /^([!#$%&'*+\-.^`|~\w]+)[\t ]*:(.*)$/s.exec(line) ?? [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
  const value = text.replaceAll(/[\x01-\x1f\x7f]/g, ' ').trim();
  switch (name.toLowerCase()) {
    case '':
      return [];
    case 'content-length':
      // As curl: the digits that it begins with.
      return [`content-length: ${value.replace(/^\+?(\d{1,15}).*$/, '$1')}`];
    case 'transfer-encoding':
      return /^(identity)?$/i.test(value) ? [] : [`transfer-encoding: ${value.toLowerCase()}`];
    default:
      return [`${name.toLowerCase()}: ${value}`];
  }
};
