import { existsSync, readFileSync } from 'node:fs';
import { type Brand, MESSAGING } from '../packages/console/serving/brand.ts';
import type { DeploymentOptions } from './deployment-options.ts';

const LOGO_BYTES = 32 * 1_024;

/** Throws if the file of the logo is missing, too large, or no SVG. */
export const brandOf = ({
  consoleName: name = MESSAGING.name,
  consoleColour: colour = MESSAGING.colour,
  consoleLogo,
}: DeploymentOptions): Brand => ({
  name,
  colour,
  ...(consoleLogo !== undefined && { logo: readLogo(consoleLogo) }),
});

const readLogo = (path: string): string => {
  if (!existsSync(path)) throw new Error(`consoleLogo ${path} does not exist.`);
  const logo = readFileSync(path, 'utf8');
  if (Buffer.byteLength(logo) > LOGO_BYTES) throw new Error(`consoleLogo ${path} exceeds 32 KB.`);
  if (!/^\s*<(?:[?!][\s\S]*<)?svg[\s>]/.test(logo))
    throw new Error(`consoleLogo ${path} is no SVG.`);
  return logo;
};
