import { generateThemeStylesheet } from '@cloudscape-design/components/theming';

const SYSTEM_FONT =
  'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif';
const MONOSPACE =
  'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "Noto Sans Mono", monospace';

export const stylesheet = generateThemeStylesheet({
  theme: {
    referenceTokens: { color: { primary: { seed: '#4353c4' } } },
    tokens: {
      fontFamilyBase: SYSTEM_FONT,
      fontFamilyHeading: SYSTEM_FONT,
      fontFamilyDisplay: SYSTEM_FONT,
      fontFamilyMonospace: MONOSPACE,
      borderRadiusButton: '8px',
      borderRadiusContainer: '12px',
      borderRadiusInput: '8px',
      borderWidthButton: '1px',
    },
  },
});
