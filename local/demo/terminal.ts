import { styleText } from 'node:util';

export interface Terminal {
  print(line?: string): void;
  readonly columns: number;
  good(text: string): string;
  bad(text: string): string;
  dim(text: string): string;
  bold(text: string): string;
}

const COLUMNS_WITHOUT_TERMINAL = 120;

/** Prints lines to a stream. Styles them if the stream is a terminal and NO_COLOR is not set. */
export const createTerminal = (stream: NodeJS.WriteStream): Terminal => {
  // A reader that goes away (`npm start | head`) must not end the run.
  stream.on('error', () => {});
  const styled =
    (format: Parameters<typeof styleText>[0]) =>
    (text: string): string =>
      styleText(format, text, { stream });
  return {
    print: (line = '') => stream.write(`${line}\n`),
    get columns() {
      return stream.columns ?? COLUMNS_WITHOUT_TERMINAL;
    },
    good: styled('green'),
    bad: styled('red'),
    dim: styled('dim'),
    bold: styled('bold'),
  };
};

/** Cuts text that is longer than `width` characters; `width` must be positive. */
export const shorten = (text: string, width: number): string => {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join('')}…`;
};
