import type { Frame } from 'playwright-core';

/** What runs in the browser is text here: the tests know nothing of its globals. */
const FAULTS = `(() => {
  const faults = [];
  const BORDER = 1;
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
  const name = ({ tagName, className, ariaLabel }) => tagName + '.' + className + ' ' + (ariaLabel ?? '');

  // A field scrolls with its text, and tabs have buttons that scroll them. What ends in an ellipsis
  // says that there is more, and a spinner turns in a box that hides a part of it. A wide table of a
  // guide scrolls, also by keyboard.
  const isMeant = (element) => element.matches('input, [role=tablist], svg *, [class*=awsui_circle], .scroll[tabindex]');
  for (const element of [document.documentElement, ...document.querySelectorAll('body *')]) {
    const { overflowX, textOverflow } = getComputedStyle(element);
    const isBox = overflowX !== 'visible' && textOverflow !== 'ellipsis' && element.clientWidth > 1;
    const excess = element.scrollWidth - element.clientWidth;
    if (!isBox || excess <= BORDER || !isShown(element) || isMeant(element)) continue;
    faults.push(excess + ' px of a box are cut off: ' + name(element));
  }

  const widthOfLine = (element) => {
    let block = element;
    while (getComputedStyle(block).display.startsWith('inline')) block = block.parentElement;
    const { paddingLeft, paddingRight } = getComputedStyle(block);
    return block.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (parentElement.closest('pre, code, .request-head, .panel-summary, [class*=code-line]') || !isShown(parentElement)) continue;
    for (const { 0: word, index } of data.matchAll(/[^\\s/.-]+/g)) {
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      const parts = [...range.getClientRects()].filter(({ width }) => width > 0);
      const lines = new Set(parts.map(({ top }) => Math.round(top)));
      const width = parts.reduce((sum, part) => sum + part.width, 0);
      if (lines.size > 1 && width <= widthOfLine(parentElement)) faults.push('broken in a word: ' + word);
    }
  }
  return faults;
})()`;

/** A page that was resized may need some frames until its tables have become cards. */
const TEN_FRAMES = `new Promise((resolve) => {
  const after = (frames) => requestAnimationFrame(() => (frames > 0 ? after(frames - 1) : resolve()));
  after(10);
})`;

/**
 * Boxes that are narrower than what they hold, and words that are broken although a line has room,
 * once the layout no longer changes.
 */
export const layoutFaults = async (frame: Frame): Promise<readonly string[]> => {
  let before: readonly string[] = [];
  for (;;) {
    const faults = (await frame.evaluate(FAULTS)) as readonly string[];
    if (faults.join() === before.join()) return faults;
    before = faults;
    await frame.evaluate(TEN_FRAMES);
  }
};
