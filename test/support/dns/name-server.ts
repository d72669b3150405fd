import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The records of a name; without any it exists and has no address. */
interface NameRecords {
  readonly a?: readonly string[];
  readonly aaaa?: readonly string[];
  /** The name that the records belong to. */
  readonly cname?: string;
  /** Record types that are never answered. */
  readonly silent?: readonly ('a' | 'aaaa')[];
  /** Answered over TCP alone: an answer over UDP is marked as cut off. */
  readonly overTcp?: true;
  /** The code of a failure, such as 2 for SERVFAIL. */
  readonly failure?: number;
}

/** Never answered. */
export const SILENT: NameRecords = { silent: ['a', 'aaaa'] };

interface Question {
  readonly name: string;
  readonly type: 'a' | 'aaaa' | undefined;
  readonly bytes: Buffer;
}

const TYPE_NUMBERS = { a: 1, cname: 5, aaaa: 28 };
const HEADER_BYTES = 12;
const NXDOMAIN = 3;
const RESPONSE = 0x8180;
const CUT_OFF = 0x0200;

/** A name server on loopback, over UDP and TCP. Names without records do not exist. */
export class NameServer {
  /** Each name that was asked for, without the dot at its end. */
  readonly asked = new Set<string>();
  readonly #records: Readonly<Record<string, NameRecords>>;
  readonly #udp = createSocket('udp4');
  readonly #tcp = createServer((socket) => this.#serve(socket));
  readonly #sockets = new Set<Socket>();

  static async start(records: Readonly<Record<string, NameRecords>>): Promise<NameServer> {
    const server = new NameServer(records);
    server.#tcp.listen(0, '127.0.0.1');
    await once(server.#tcp, 'listening');
    server.#udp.on('message', (query, from) => {
      const answer = server.#answer(query, 'udp');
      if (answer) server.#udp.send(answer, from.port, from.address);
    });
    server.#udp.bind(server.#port, '127.0.0.1');
    await once(server.#udp, 'listening');
    return server;
  }

  private constructor(records: Readonly<Record<string, NameRecords>>) {
    this.#records = records;
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  get #port(): number {
    return (this.#tcp.address() as AddressInfo).port;
  }

  close(): void {
    this.#udp.close();
    this.#tcp.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** A query over TCP follows its length. */
  #serve(socket: Socket): void {
    this.#sockets.add(socket.on('error', () => {}));
    let received = Buffer.alloc(0);
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      while (received.length > 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const end = 2 + received.readUInt16BE(0);
        const answer = this.#answer(received.subarray(2, end), 'tcp');
        if (answer) socket.write(Buffer.concat([uint16(answer.length), answer]));
        received = received.subarray(end);
      }
    });
  }

  #answer(query: Buffer, over: 'udp' | 'tcp'): Buffer | undefined {
    const { name, type, bytes } = questionIn(query);
    this.asked.add(name);
    const records = this.#records[name];
    if (type !== undefined && records?.silent?.includes(type)) return undefined;
    const code = records === undefined ? NXDOMAIN : (records.failure ?? 0);
    const isCutOff = over === 'udp' && records?.overTcp === true;
    const answers = isCutOff || type === undefined ? [] : answersOf(name, records ?? {}, type);
    const flags = RESPONSE | code | (isCutOff ? CUT_OFF : 0);
    const header = [query.readUInt16BE(0), flags, 1, answers.length, 0, 0].map(uint16);
    return Buffer.concat([...header, bytes, ...answers]);
  }
}

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);

const encodedName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]),
    Buffer.from([0]),
  ]);

const questionIn = (query: Buffer): Question => {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const number = query.readUInt16BE(at + 1);
  const type = (['a', 'aaaa'] as const).find((known) => TYPE_NUMBERS[known] === number);
  return { name: labels.join('.'), type, bytes: query.subarray(HEADER_BYTES, at + 5) };
};

const record = (owner: string, type: keyof typeof TYPE_NUMBERS, data: Buffer): Buffer =>
  Buffer.concat([
    encodedName(owner),
    uint16(TYPE_NUMBERS[type]),
    uint16(1),
    Buffer.from([0, 0, 0, 60]),
    uint16(data.length),
    data,
  ]);

const answersOf = (name: string, records: NameRecords, type: 'a' | 'aaaa'): Buffer[] => {
  const { cname } = records;
  const alias = cname === undefined ? [] : [record(name, 'cname', encodedName(cname))];
  const addresses = (records[type] ?? []).map((address) =>
    record(cname ?? name, type, Buffer.from(ipaddr.parse(address).toByteArray())),
  );
  return [...alias, ...addresses];
};
