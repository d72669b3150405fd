import { generateThemeStylesheet } from '@cloudscape-design/components/theming';

const SANS =
  '"Open Sans", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const MONOSPACE =
  'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "Noto Sans Mono", monospace';

export const stylesheet = generateThemeStylesheet({
  theme: {
    referenceTokens: { color: { primary: { seed: '#4353c4' } } },
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
      colorBackgroundLayoutToggleSelectedDefault: { light: '#e9ebf7', dark: '#2a3040' },
      colorBackgroundLayoutToggleSelectedHover: { light: '#dcdff4', dark: '#353c50' },
      colorBackgroundLayoutToggleSelectedActive: { light: '#d0d4f0', dark: '#3d455c' },
      colorTextLayoutToggleSelected: { light: '#3a49b0', dark: '#c4c9ff' },
      colorBackgroundBadgeBlue: { light: '#e9ebf7', dark: '#2a3158' },
      colorTextBadgeBlue: { light: '#3a49b0', dark: '#c4c9ff' },
      colorTextLinkDecorationDefault: { light: '#b9bfe6', dark: '#4a5288' },
      colorBackgroundCodeView: { light: '#f7f8fb', dark: '#12151d' },
    },
  },
});
