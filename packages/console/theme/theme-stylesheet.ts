import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const MODULE = 'virtual:theme.css';

/**
 * The style sheet of the console's theme, which is made when the console is built. Cloudscape's
 * `applyTheme` would write a `<style>` element, which the content security policy refuses.
 */
export const themeStylesheet = (colour: string): Plugin => ({
  name: 'theme-stylesheet',
  resolveId: (id) => (id === MODULE ? id : undefined),
  load: async (id) =>
    id === MODULE ? (await Promise.all([fontFaces(), writtenTheme(colour)])).join('\n') : undefined,
});

const GLOBAL_STYLES = '@cloudscape-design/global-styles/index.css';
const WEIGHTS = [400, 700];

/**
 * The faces of Open Sans that the console uses, two of the eight in Cloudscape's style sheet. They
 * are part of the style sheet, so that no text moves when a font is loaded.
 */
const fontFaces = async (): Promise<string> => {
  const css = await readFile(fileURLToPath(import.meta.resolve(GLOBAL_STYLES)), 'utf8');
  const faces = (css.match(/@font-face \{[^}]*\}/g) ?? []).filter(
    (face) =>
      face.includes('font-style: normal') &&
      WEIGHTS.some((weight) => face.includes(`font-weight: ${weight};`)),
  );
  if (faces.length !== WEIGHTS.length) throw new Error(`${GLOBAL_STYLES} has other font faces.`);
  return faces.join('\n');
};

/** Cloudscape's theming works only in a bundle, so `theme.ts` is bundled before it is run. */
const writtenTheme = async (colour: string): Promise<string> => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      lib: { entry: join(import.meta.dirname, 'theme.ts'), formats: ['es'] },
    },
  });
  const [bundle] = Array.isArray(built) ? built : [];
  if (bundle === undefined) throw new Error('Vite built no theme.');
  const url = `data:text/javascript;base64,${Buffer.from(bundle.output[0].code).toString('base64')}`;
  const { stylesheetIn } = (await import(url)) as typeof import('./theme.ts');
  const stylesheet = stylesheetIn(colour);
  return `${stylesheet}\nbody { --accent: ${shade(700, stylesheet)} }\n.awsui-dark-mode { --accent: ${shade(400, stylesheet)} }`;
};

/** Of the palette that Cloudscape makes of the colour, for the console's own style sheets. */
const shade = (step: number, stylesheet: string): string => {
  const [property] = new RegExp(`--color-primary-${step}-\\w+`).exec(stylesheet) ?? [];
  if (property === undefined) throw new Error(`The theme has no primary colour ${step}.`);
  return `var(${property})`;
};
