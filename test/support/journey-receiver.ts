import { readFile } from 'node:fs/promises';
import { inject } from 'vitest';
import { MisbehavingReceiver } from './misbehaving-receiver.ts';

/** A receiver whose certificate the service's functions trust. */
export const startReceiver = async (): Promise<MisbehavingReceiver> => {
  const { certFile, keyFile } = inject('service');
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
  return MisbehavingReceiver.start({ cert, key });
};
