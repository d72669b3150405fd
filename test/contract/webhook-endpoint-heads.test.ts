import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { resultOfFault } from '../../adapters/http/connection-fault.ts';
import { BUILDS, useEndpoint } from '../support/adapters/endpoint-under-test.ts';
import { aWebhookRequest } from '../support/delivery/webhook-requests.ts';
import { ODD_HEADS, REFUSED_HEADS } from '../support/receiver/odd-heads.ts';
import {
  answer,
  type Behaviour,
  both,
  bytes,
  http10,
  raw,
} from '../support/receiver/receiver-behaviours.ts';

const READ = { kind: 'answered', statusCode: 200, responseStart: 'ok' };
const SECOND_ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

/** One byte in each record of TLS, so that the client reads each apart. */
const byteByByte =
  (text: string): Behaviour =>
  async (connection) => {
    for (const byte of Buffer.from(text)) {
      connection.write(Buffer.from([byte]));
      await setImmediate();
    }
  };

describe.each(BUILDS)('a head that departs from HTTP (%s)', (build) => {
  const under = useEndpoint(build);
  const connections = () => under.receiver.requests.all.map(({ connection }) => connection);
  /** The results of one request for each behaviour, over one endpoint. */
  const postInTurn = async (...behaviours: Behaviour[]) => {
    under.receiver.behave('/', ...behaviours);
    const endpoint = under.endpoint();
    const results: unknown[] = [];
    for (const _ of behaviours)
      results.push(await endpoint.post(aWebhookRequest({ url: under.receiver.url() })));
    return results;
  };

  it.each(ODD_HEADS)('is read, and its connection not used again: %s', async (_what, head) => {
    const results = await postInTurn(bytes(head), answer(400));
    expect(results).toEqual([READ, expect.objectContaining({ statusCode: 400 })]);
    expect(connections()).toEqual([1, 2]);
  });

  it('is read when it comes byte by byte', async () => {
    const heads = ODD_HEADS.filter(([, head]) => head.length < 1_000);
    const results = await postInTurn(...heads.map(([, head]) => byteByByte(head)));
    expect(results).toEqual(heads.map(() => READ));
  });

  it('is read when the endpoint closes the connection after it', async () => {
    const results = await postInTurn(...ODD_HEADS.map(([, head]) => raw(head)));
    expect(results).toEqual(ODD_HEADS.map(() => READ));
  });

  it('is read on a connection that was used before, and ends its use', async () => {
    const odd = bytes('HTTP/1.1 500 Oh\nRetry-After : 7\nContent-Length: 2\n\nno');
    const results = await postInTurn(answer(200), odd, answer(202));
    expect(results[1]).toEqual({
      kind: 'answered',
      statusCode: 500,
      responseStart: 'no',
      retryAfter: '7',
    });
    expect(connections()).toEqual([1, 1, 2]);
  });

  it.each([
    ['with a length', `HTTP/1.1 500 Oh\nContent-Length: 2\n\nno${SECOND_ANSWER}`],
    [
      'of chunks',
      `HTTP/1.1 500 Oh\nTransfer-Encoding: chunked\n\n2\r\nno\r\n0\r\n\r\n${SECOND_ANSWER}`,
    ],
    ['that has none', `HTTP/1.1 304 Hm\nServer: it\n\n${SECOND_ANSWER}`],
  ])('gives the bytes after a body to no other event: %s', async (_what, head) => {
    const results = await postInTurn(bytes(head), answer(400));
    expect(results).toMatchObject([
      { statusCode: head.includes('304') ? 304 : 500 },
      { statusCode: 400 },
    ]);
    expect(connections()).toEqual([1, 2]);
  });

  it('cannot smuggle a status or a field into another', async () => {
    const head = 'HTTP/1.1 500 Oh\rHTTP/1.1 200 OK\nServer: it\rRetry-After: 7\n\n';
    expect(await postInTurn(raw(head))).toEqual([
      { kind: 'answered', statusCode: 500, responseStart: '' },
    ]);
  });

  it.each(REFUSED_HEADS)('stays refused: %s', async (_what, head, code) => {
    expect(await postInTurn(raw(head))).toEqual([resultOfFault({ code }, false)]);
  });

  it('is given up after the response timeout when it has no end', async () => {
    const hasty = { connectTimeoutMs: 5_000, responseTimeoutMs: 150 };
    expect(await under.postTo(bytes('HTTP/1.1 200 OK\nServer : it\n'), hasty)).toEqual({
      kind: 'unanswered',
      reason: 'response-timeout',
    });
  });

  it('is a failed connection when it breaks off', async () => {
    expect(await postInTurn(raw('HTTP/1.1 200 OK\nServer : it\n'))).toMatchObject([
      { reason: 'connection-failed', code: 'ECONNRESET' },
    ]);
  });

  it('keeps the connection of a head that does not', async () => {
    const length = 'cONTENT-lENGTH:0 \r\n';
    const results = await postInTurn(
      bytes(`HTTP/1.1 200\r\nX: \t\xe9 \r\n${length}\r\n`),
      bytes(`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 \r\n${length}\r\n`),
      byteByByte(`HTTP/1.1 200 Grüße\r\nSet-Cookie: a\r\nSet-Cookie: a\r\n${length}\r\n`),
      bytes('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked \r\n\r\n0\r\n\r\n'),
      bytes(`HTTP/1.1 200 OK\r\nServer: ${'i'.repeat(60_000)}\r\n${length}\r\n`),
      http10(200, 'bye'),
    );
    expect(results).toMatchObject(results.map(() => ({ statusCode: 200 })));
    expect(new Set(connections())).toEqual(new Set([1]));
  });

  it.each([
    ['a length', answer(204, { headers: { 'Content-Length': 2 } })],
    ['chunks', answer(204, { headers: { 'Transfer-Encoding': 'chunked' } })],
    ['a length of a 304', answer(304, { headers: { 'Content-Length': 2 } })],
    ['chunks of a 304', answer(304, { headers: { 'Transfer-Encoding': 'chunked' } })],
    [
      'a length of an interim answer',
      both(bytes('HTTP/1.1 103 Early\r\nContent-Length: 2\r\n\r\n'), answer(204)),
    ],
  ])('ends its connection with a header of a body that cannot be: %s', async (_what, head) => {
    const results = await postInTurn(head, answer(400));
    expect(results).toMatchObject([{ kind: 'answered', responseStart: '' }, { statusCode: 400 }]);
    expect(connections()).toEqual([1, 2]);
  });

  it.each([
    ['a 204', answer(204, { headers: { 'Content-Length': 0 } })],
    ['a 304', answer(304, { headers: { 'Content-Length': 0 } })],
    ['a 205', answer(205, { headers: { 'Content-Length': 2 }, body: 'ok' })],
  ])('keeps the connection of %s whose header of a body is true', async (_what, head) => {
    await postInTurn(head, answer(400));
    expect(connections()).toEqual([1, 1]);
  });
});
