import type { SentMail } from 'local-aws/aws/mails.ts';
import { escapeControls } from '../../adapters/terminal/escape-controls.ts';
import type { Terminal } from './terminal.ts';

const PARAGRAPHS_SHOWN = 2;

/** Prints to whom an e-mail went, its subject and the beginning of its text. */
export const printMail = (
  { to, subject, text }: SentMail,
  { indent, terminal }: { indent: string; terminal: Terminal },
): void => {
  terminal.print(`${indent}E-mail to ${to.join(', ')}: ${terminal.bold(escapeControls(subject))}`);
  const shown = text.split('\n\n').slice(0, PARAGRAPHS_SHOWN).join('\n');
  for (const line of shown.split('\n'))
    terminal.print(terminal.dim(`${indent}  ${escapeControls(line)}`));
};
