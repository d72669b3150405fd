import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Assemble } from 'local-aws/local-aws.ts';
import { limits } from '../../../lib/limits.ts';
import { assembleLocalStage } from '../../../local/local-stage.ts';

const WINDOW = /"BACKOFF_WINDOW_MS": *"\d+"/g;

/**
 * Makes the cloud assembly of stage `local` with the backoff window of stage `prod`: no delivery ends
 * its backoff while a test still looks at it.
 */
export const assembleWithLongBackoff: Assemble = async (directory, options) => {
  await assembleLocalStage()(directory, options);
  const names = await readdir(directory);
  for (const name of names.filter((one) => one.endsWith('.template.json'))) {
    const file = join(directory, name);
    const template = await readFile(file, 'utf8');
    const window = `"BACKOFF_WINDOW_MS":"${limits.backoff.windowMs}"`;
    await writeFile(file, template.replaceAll(WINDOW, window));
  }
};
