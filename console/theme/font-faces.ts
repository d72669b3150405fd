import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const GLOBAL_STYLES = '@cloudscape-design/global-styles/index.css';
const WEIGHTS = [400, 700];

/**
 * The upright faces of Open Sans in the weights that the console uses: two of the eight that
 * Cloudscape's style sheet brings. They are in the style sheet itself, so no text jumps when a font
 * arrives.
 */
export const fontFaces = async (): Promise<string> => {
  const css = await readFile(fileURLToPath(import.meta.resolve(GLOBAL_STYLES)), 'utf8');
  const faces = (css.match(/@font-face \{[^}]*\}/g) ?? []).filter(
    (face) =>
      face.includes('font-style: normal') &&
      WEIGHTS.some((weight) => face.includes(`font-weight: ${weight};`)),
  );
  if (faces.length !== WEIGHTS.length) throw new Error(`${GLOBAL_STYLES} has other font faces.`);
  return faces.join('\n');
};
