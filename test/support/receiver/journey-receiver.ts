import { readFile } from 'node:fs/promises';
import { inject } from 'vitest';
import { MisbehavingReceiver } from './misbehaving-receiver.ts';

let former: MisbehavingReceiver | undefined;

/**
 * A receiver whose certificate the service's functions trust, at the public address if there is one.
 * After its tests it retires: what they left behind would otherwise be work for the service.
 */
export const startReceiver = async (): Promise<MisbehavingReceiver> => {
  const { certFile, keyFile } = inject('service');
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
  const { RECEIVER_ORIGIN: origin, RECEIVER_PORT: port } = process.env;
  if (port !== undefined) await former?.close();
  former = await MisbehavingReceiver.start({ cert, key }, { origin, port: Number(port ?? 0) });
  return former;
};
