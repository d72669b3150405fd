import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { unlabelledIn } from './visible-labels.ts';

/** Pictures of every state, for people to look at. Not in git. */
export const SCREENS = '.vitest/console';

const WIDE = { width: 1440, height: 900 };

const LOOKS = [
  { name: 'light', colorScheme: 'light', viewport: WIDE },
  { name: 'dark', colorScheme: 'dark', viewport: WIDE },
  { name: 'narrow', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const;

/**
 * What axe finds wrong with what the page shows, in light, dark and narrow, after a picture of each
 * was taken. The page is wide and light again afterwards.
 */
export const inspect = async (page: Page, state: string): Promise<string[]> => {
  await mkdir(SCREENS, { recursive: true });
  const faults: string[] = [];
  for (const { name, colorScheme, viewport } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    await page.screenshot({ path: join(SCREENS, `${state}-${name}.png`) });
    const wide = Number(
      await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'),
    );
    if (wide > 0) faults.push(`${state}, ${name}: the page is ${wide} px wider than the window`);
    for (const control of await unlabelledIn(page)) {
      faults.push(`${state}, ${name}: no visible label: ${control}`);
    }
    const { violations } = await new AxeBuilder({ page }).analyze();
    for (const { id, nodes } of violations) {
      const where = nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`);
      faults.push(`${state}, ${name}: ${id}: ${where.join(' | ').slice(0, 600)}`);
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize(WIDE);
  return faults;
};
