import { applyMode, Mode } from '@cloudscape-design/global-styles';

/**
 * Shows the console in the theme that the address names, as in `/?theme=dark`: a page of the platform
 * knows its own. Without a name, or with `auto`, the browser's setting decides.
 */
export const applyTheme = (search: string): void => {
  const theme = new URLSearchParams(search).get('theme');
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const apply = () =>
    applyMode(theme === 'dark' || (theme !== 'light' && dark.matches) ? Mode.Dark : Mode.Light);
  dark.addEventListener('change', apply);
  apply();
};
