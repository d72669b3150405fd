import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareCertificates } from '../certificates.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

describe('the certificates of a run', () => {
  let directory = '';

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'certificates-'));
  });

  afterEach(() => rm(directory, { recursive: true }));

  it('are trusted by clients that trust the authority', async () => {
    const { caFile, certFile, keyFile } = await prepareCertificates(directory);
    const server = createServer(
      { cert: await readFile(certFile), key: await readFile(keyFile) },
      (_request, response) => response.end(),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const ca = await readFile(caFile);
    const get = (hostname: string, options: object) =>
      new Promise<number | undefined>((resolve, reject) => {
        request({ hostname, port, agent: false, ...options }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
    await expect(get('127.0.0.1', { ca })).resolves.toBe(200);
    await expect(get('127.0.0.1', { ca, servername: 'localhost' })).resolves.toBe(200);
    await expect(get('127.0.0.1', {})).rejects.toThrow(/certificate/);
    await new Promise((resolve) => server.close(resolve));
  });

  it('are kept from one start to the next', async () => {
    const { caFile, certFile } = await prepareCertificates(directory);
    const before = [await readFile(caFile, 'utf8'), await readFile(certFile, 'utf8')];
    await prepareCertificates(directory);
    expect([await readFile(caFile, 'utf8'), await readFile(certFile, 'utf8')]).toEqual(before);
  });

  it('renew the server’s under the same authority when it nears its end', async () => {
    const { caFile, certFile } = await prepareCertificates(directory);
    const before = [await readFile(caFile, 'utf8'), await readFile(certFile, 'utf8')];
    const inAYear = new Date(Date.now() + 395 * DAY_MS);
    await prepareCertificates(directory, inAYear);
    expect(await readFile(caFile, 'utf8')).toBe(before[0]);
    const renewed = new X509Certificate(await readFile(certFile));
    expect(Date.parse(renewed.validTo)).toBeGreaterThan(inAYear.getTime() + 300 * DAY_MS);
    expect(renewed.verify(new X509Certificate(await readFile(caFile)).publicKey)).toBe(true);
  });

  it('are made anew when what is there is no certificate', async () => {
    const { caFile, certFile } = await prepareCertificates(directory);
    await writeFile(caFile, 'broken');
    await prepareCertificates(directory);
    const authority = new X509Certificate(await readFile(caFile));
    expect(new X509Certificate(await readFile(certFile)).verify(authority.publicKey)).toBe(true);
  });

  it('have keys that only their owner reads', async () => {
    const { keyFile } = await prepareCertificates(directory);
    for (const file of [keyFile, join(directory, 'ca-key.pem')]) {
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
  });
});
