/** The least contrast of WCAG AA for text. */
const AA = 4.5;

/** Whether white text is readable on the colour, and the colour on white. */
export const isReadableOnWhite = (colour: string): boolean =>
  1.05 / (luminanceOf(colour) + 0.05) >= AA;

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
const luminanceOf = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
