import type { Plugin } from 'vite';
import { readReceivers } from './receivers.ts';

const MODULE = 'virtual:verification-samples';

/** The samples of the receivers, read when the console is built. */
export const verificationSamples = (): Plugin => ({
  name: 'verification-samples',
  resolveId: (id) => (id === MODULE ? id : undefined),
  load: (id) => {
    if (id !== MODULE) return undefined;
    const samples = readReceivers().map(({ name, title, language, code }) => ({
      name,
      title,
      language,
      code,
    }));
    return `export const VERIFICATION_SAMPLES = ${JSON.stringify(samples)};`;
  },
});
