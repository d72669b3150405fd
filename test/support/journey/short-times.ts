import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Assemble } from 'local-aws/local-aws.ts';
import { assembleLocalStage } from '../../../local/local-stage.ts';

const SHORT_TIMES = {
  RESPONSE_TIMEOUT_MS: 6_000,
  BACKOFF_FIRST_DELAY_MS: 1_000,
  BACKOFF_MAX_DELAY_MS: 8_000,
};

/**
 * Makes the cloud assembly of stage `local` with short delays and timeouts for the tests. The window of
 * a backoff stays as it is: no delivery ends it while a test still looks at the delivery.
 */
export const assembleWithShortTimes: Assemble = async (directory, options) => {
  await assembleLocalStage()(directory, options);
  const names = await readdir(directory);
  for (const name of names.filter((one) => one.endsWith('.template.json'))) {
    const file = join(directory, name);
    let template = await readFile(file, 'utf8');
    for (const [variable, value] of Object.entries(SHORT_TIMES)) {
      const given = new RegExp(`"${variable}": *"\\d+"`, 'g');
      template = template.replaceAll(given, `"${variable}":"${value}"`);
    }
    await writeFile(file, template);
  }
};
