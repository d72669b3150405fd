import { generateThemeStylesheet } from '@cloudscape-design/components/theming';

const SANS =
  '"Open Sans", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const MONOSPACE =
  'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "Noto Sans Mono", monospace';

/** The theme in a colour, of which Cloudscape makes a palette. */
export const stylesheetIn = (colour: string): string => {
  const tint = (percent: number) => `color-mix(in srgb, ${colour} ${percent}%, #fff)`;
  return generateThemeStylesheet({
    theme: {
      referenceTokens: { color: { primary: { seed: colour } } },
      tokens: {
        fontFamilyBase: SANS,
        fontFamilyHeading: SANS,
        fontFamilyDisplay: SANS,
        fontFamilyMonospace: MONOSPACE,
        fontSizeHeadingXl: '22px',
        lineHeightHeadingXl: '28px',
        fontSizeHeadingM: '16px',
        borderRadiusButton: '8px',
        borderRadiusContainer: '12px',
        borderRadiusInput: '8px',
        borderWidthButton: '1px',
        borderRadiusAlert: '10px',
        borderWidthAlert: '1px',
        borderRadiusFlashbar: '10px',
        colorBackgroundLayoutMain: { light: '#f7f8fb', dark: '#12151d' },
        colorBackgroundLayoutPanel: { light: '#ffffff', dark: '#12151d' },
        colorBackgroundLayoutToolbar: { light: '#ffffff', dark: '#12151d' },
        colorBackgroundContainerContent: { light: '#ffffff', dark: '#191d28' },
        colorBackgroundContainerHeader: { light: '#ffffff', dark: '#191d28' },
        colorBorderContainerTop: { light: '#e1e4ec', dark: '#2a3040' },
        colorBorderDividerDefault: { light: '#e1e4ec', dark: '#2a3040' },
        colorBorderDividerSecondary: { light: '#edeff4', dark: '#242a38' },
        colorBorderLayout: { light: '#e1e4ec', dark: '#2a3040' },
        colorBorderLayoutSideNavigation: { light: '#e1e4ec', dark: '#2a3040' },
        colorBorderInputDefault: { light: '#7d8698', dark: '#7d8698' },
        colorBorderControlDefault: { light: '#7d8698', dark: '#7d8698' },
        colorTextHeadingDefault: { light: '#1b2030', dark: '#e6e9f2' },
        colorTextBodyDefault: { light: '#1b2030', dark: '#d5dae6' },
        colorTextBodySecondary: { light: '#566074', dark: '#a3acc0' },
        colorBackgroundLayoutToggleSelectedDefault: { light: tint(12), dark: '#2a3040' },
        colorBackgroundLayoutToggleSelectedHover: { light: tint(18), dark: '#353c50' },
        colorBackgroundLayoutToggleSelectedActive: { light: tint(25), dark: '#3d455c' },
        colorTextLayoutToggleSelected: { light: '{colorPrimary700}', dark: '{colorPrimary300}' },
        colorBackgroundBadgeBlue: {
          light: tint(12),
          dark: `color-mix(in srgb, ${colour} 36%, #191d28)`,
        },
        colorTextBadgeBlue: { light: '{colorPrimary700}', dark: '{colorPrimary300}' },
        colorTextLinkDecorationDefault: 'color-mix(in srgb, currentColor 40%, transparent)',
        colorBackgroundCodeView: { light: '#f7f8fb', dark: '#12151d' },
      },
    },
  });
};
