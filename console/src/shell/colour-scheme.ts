import { applyMode, Mode } from '@cloudscape-design/global-styles';

/** Light or dark as the system is, and as it changes. */
export const followColourScheme = (): void => {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const follow = () => applyMode(dark.matches ? Mode.Dark : Mode.Light);
  dark.addEventListener('change', follow);
  follow();
};
