import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { layoutFaults } from './layout-faults.ts';
import { unlabelledIn } from './visible-labels.ts';

/** Pictures of every state, for people to look at. Not in git. */
export const SCREENS = '.vitest/console';

const HEIGHT = 900;
export const WIDE = { width: 1280, height: HEIGHT };
/** The navigation is beside the page, except on a phone. */
const WIDTHS = [1280, 1024, 768, 390, 320];
/** Where only the layout is another: axe has nothing new to find. 320 is 1280 at a zoom of 400 %. */
const LAYOUT_ALONE = [1024, 320];

/**
 * What is wrong with what the page shows at each width, after pictures in light and dark were
 * taken: what axe finds, boxes that are cut off, and broken words. The page is wide and light again
 * afterwards.
 */
export const inspect = async (
  page: Page,
  state: string,
  widths: readonly number[] = WIDTHS,
): Promise<string[]> => {
  await mkdir(SCREENS, { recursive: true });
  const faults: string[] = [];
  // Axe has a second to start in a frame, which the first time may not be enough on a busy machine.
  if (page.frames().length > 1) await new AxeBuilder({ page }).withRules('html-has-lang').analyze();
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT });
    const found: string[] = [];
    for (const frame of page.frames()) {
      found.push(...(await layoutFaults(frame)));
      for (const control of await unlabelledIn(frame)) found.push(`no visible label: ${control}`);
    }
    if (LAYOUT_ALONE.includes(width)) {
      await page.screenshot({ path: join(SCREENS, `${state}-${width}-light.png`) });
    } else {
      found.push(...(await axeFaults(axeIn(page))));
      await page.screenshot({ path: join(SCREENS, `${state}-${width}-light.png`) });
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
      // Only the colours differ.
      found.push(...(await axeFaults(axeIn(page).withRules('color-contrast'))));
      await page.screenshot({ path: join(SCREENS, `${state}-${width}-dark.png`) });
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    }
    faults.push(...found.map((fault) => `${state}-${width}: ${fault}`));
  }
  await page.setViewportSize(WIDE);
  // A narrow page closed it.
  await page.evaluate(`document.querySelector('[aria-label="Open navigation"]')?.click()`);
  return faults;
};

/** A busy machine's frame takes longer than half a second, axe's default, and would be left out. */
const axeIn = (page: Page): AxeBuilder =>
  new AxeBuilder({ page }).options({ pingWaitTime: 30_000 });

const axeFaults = async (axe: AxeBuilder): Promise<readonly string[]> => {
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => {
    const where = nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`);
    return `${id}: ${where.join(' | ').slice(0, 600)}`;
  });
};
