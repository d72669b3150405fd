/**
 * Text from outside as part of a line for a terminal, or of JSON: characters that control the
 * terminal, end the line or turn the direction of text are escaped as JSON escapes them.
 */
export const escapeControls = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
