import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { fontFaces } from './font-faces.ts';

const MODULE = 'virtual:theme.css';

/**
 * The style sheet of the console's theme, made when the console is built: Cloudscape's `applyTheme`
 * would write a `<style>` into the page, which the page's policy refuses.
 */
export const themeStylesheet = (): Plugin => ({
  name: 'theme-stylesheet',
  resolveId: (id) => (id === MODULE ? id : undefined),
  load: async (id) =>
    id === MODULE ? (await Promise.all([fontFaces(), writtenTheme()])).join('\n') : undefined,
});

/** Cloudscape's theming is for bundlers only, so `theme.ts` is bundled before it is run. */
const writtenTheme = async (): Promise<string> => {
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
  const { stylesheet } = (await import(url)) as { stylesheet: string };
  return stylesheet;
};
