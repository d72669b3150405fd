import { readFile } from 'node:fs/promises';
import { afterAll, inject } from 'vitest';
import { MisbehavingReceiver } from './misbehaving-receiver.ts';

let former: MisbehavingReceiver | undefined;

/** A receiver whose certificate the service trusts, at the public address if there is one. */
export const startReceiver = async (): Promise<MisbehavingReceiver> => {
  const { certFile, keyFile } = inject('service');
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
  const { RECEIVER_ORIGIN: origin, RECEIVER_PORT: port } = process.env;
  if (port !== undefined) await former?.close();
  former = await MisbehavingReceiver.start({ cert, key }, { origin, port: Number(port ?? 0) });
  return former;
};

/**
 * The receiver of a test file. After the tests of the file it forgets how to misbehave, so that the
 * service has no more work with what the tests left behind.
 */
export const receiverOfFile = async (): Promise<MisbehavingReceiver> => {
  const receiver = await startReceiver();
  afterAll(() => receiver.retire());
  return receiver;
};
