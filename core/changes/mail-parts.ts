import { escaped } from '../html.ts';

export interface Link {
  readonly label: string;
  readonly href: string;
}

/** A paragraph, numbered steps, or a paragraph that is a link. */
export type Block = string | readonly string[] | Link;

const isSteps = (block: Block): block is readonly string[] => Array.isArray(block);

/** The plain text of a mail. */
export const textOf = (blocks: readonly Block[]): string =>
  `${blocks.map(textOfBlock).join('\n\n')}\n`;

const textOfBlock = (block: Block): string => {
  if (typeof block === 'string') return block;
  if (isSteps(block)) return block.map((step, index) => `${index + 1}. ${step}`).join('\n');
  return `${block.label}: ${block.href}`;
};

/**
 * The same words as HTML, without colours and images: mail programs with a dark background choose
 * their own colours.
 */
export const htmlOf = (title: string, blocks: readonly Block[]): string =>
  [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">',
    `<title>${escaped(title)}</title></head>`,
    '<body style="font-family: sans-serif; line-height: 1.5; max-width: 40em">',
    ...blocks.map(htmlOfBlock),
    '</body></html>\n',
  ].join('\n');

const htmlOfBlock = (block: Block): string => {
  if (typeof block === 'string') return `<p>${escaped(block)}</p>`;
  if (isSteps(block)) {
    return `<ol>${block.map((step) => `<li>${escaped(step)}</li>`).join('')}</ol>`;
  }
  const href = escaped(block.href);
  return `<p>${escaped(block.label)}: <a href="${href}">${href}</a></p>`;
};
