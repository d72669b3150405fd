import type { Frame } from 'playwright-core';

/** Runs in the browser, where a placeholder or `aria-label` is no label that everyone sees. */
const UNLABELLED = `
[...document.querySelectorAll(
  'input:not([type=radio], [type=checkbox]), textarea, select, button[aria-haspopup=listbox]',
)]
  .filter((control) => control.checkVisibility())
  .filter((control) => {
    const named = (control.getAttribute('aria-labelledby') ?? '').split(' ');
    return ![...(control.labels ?? []), ...named.map((id) => document.getElementById(id))].some(
      (label) => label && !control.contains(label) && label.offsetWidth > 1 && label.innerText.trim(),
    );
  })
  .map((control) => control.outerHTML.slice(0, 200))`;

/** The fields and selects of a page that have no visible label. */
export const unlabelledIn = (frame: Frame): Promise<string[]> => frame.evaluate(UNLABELLED);
