import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { PATIENCE_MS } from '../patience.ts';
import { inspect, SCREENS, WIDE } from './screens.ts';

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

const SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** What runs in the browser is text here: the tests know nothing of its globals. */
const REPORT_VIOLATIONS = `
document.addEventListener('securitypolicyviolation', (violation) => {
  console.error('Violated: ' + violation.violatedDirective + ' by ' + violation.blockedURI);
});`;

/** A person's window, and everything that the browser had to complain of. */
export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Violations of the policy, errors of the console and uncaught ones; empty at the end of a test. */
  readonly complaints: readonly string[];
  /** Opens a page of the console and signs in. */
  signIn(role: 'admin' | 'member', path?: string): Promise<void>;
  /** Takes pictures of what the page shows, and has axe look at it. */
  look(state: string, widths?: readonly number[]): Promise<void>;
}

const origin = (): string => {
  const { console: address } = inject('service');
  if (address === undefined) throw new Error('The service under test has no console.');
  return address;
};

/** Windows of one browser; each test that begins a visit ends without a complaint. */
export const visits = (): { begin(): Promise<Visit> } => {
  let browser: Browser;
  let begun: Visit[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: SWITCHES });
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await Promise.all(begun.map(pictureOfFailure));
    const complaints = begun.flatMap((visit) => visit.complaints);
    await Promise.all(begun.map(({ context }) => context.close()));
    begun = [];
    expect(complaints).toEqual([]);
  });
  afterAll(() => browser?.close());
  return {
    begin: async () => {
      const visit = await beginVisit(browser);
      begun.push(visit);
      return visit;
    },
  };
};

const beginVisit = async (browser: Browser): Promise<Visit> => {
  const context = await browser.newContext({
    viewport: WIDE,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  context.on('weberror', (error) => complaints.push(String(error.error())));
  context.on('console', (message) => {
    // That a call was refused is for the page to show; the browser notes it as an error.
    const isOfCall = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isOfCall) complaints.push(message.text());
  });
  await context.addInitScript({ content: REPORT_VIOLATIONS });
  const page = await context.newPage();
  return {
    context,
    page,
    complaints,
    signIn: async (role, path = '/') => {
      await page.goto(`${origin()}${path}`);
      await enterPassword(page, role);
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
    },
    look: async (state, widths) => {
      complaints.push(...(await inspect(page, state, widths)));
    },
  };
};

const pictureOfFailure = ({ page }: Visit, index: number): Promise<unknown> =>
  page.screenshot({ path: join(SCREENS, `failed-${index}.png`) }).catch(() => undefined);

/** Signs in at the provider's page, which the window shows. */
export const enterPassword = async (page: Page, role: 'admin' | 'member'): Promise<void> => {
  const user = inject('service').consoleUsers?.find((each) => each.role === role);
  if (user === undefined) throw new Error(`Nobody can sign in as ${role}.`);
  await page.getByLabel('Username').fill(user.username);
  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};
