import { describe, expect, it } from 'vitest';
import { adviceFor } from '../../../../core/delivery/advice.ts';
import { classify } from '../../../../core/delivery/attempt.ts';
import { REASONS, type Reason } from '../../../../core/integration/reasons.ts';
import { apiOverMemory } from '../../../support/lambdas/api-over-memory.ts';

const HTML = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';
const api = apiOverMemory();

const read = async (path: string) => (await api.call('GET', path)).document;
const readHtml = async (path: string) =>
  (await api.call('GET', path, { headers: { Accept: HTML } })).text;

const parts = {
  title: expect.stringMatching(/\w/),
  meaning: expect.stringMatching(/\w.*\.$/),
  remedy: expect.stringMatching(/\w.*\.$/),
};

describe('the page about the result of an attempt', () => {
  it.each(Object.keys(REASONS) as Reason[])('is there for the reason %s', async (reason) => {
    const path = adviceFor({ reason }).page;
    expect(path).toBe(`/reasons/${reason}`);
    const { outcome } = { outcome: classify({ kind: 'unanswered', reason }).class };
    const page = await read(`/reasons/${reason}`);
    expect(page).toMatchObject({ ...parts, id: path, outcome });
    expect(page.example).toEqual({ outcome, reason, detail: REASONS[reason].what });
    const html = await readHtml(`/reasons/${reason}`);
    for (const part of ['What it means', 'What to do', 'Example'])
      expect(html).toContain(`<h2>${part}</h2>`);
  });

  it.each([
    [200, 'delivered', /confirmed and not sent again/],
    [301, 'fatal', /makes attempts every hour/],
    [404, 'fatal', /makes attempts every hour/],
    [504, 'transient', /for 12 hours/],
    [999, 'fatal', /makes attempts every hour/],
  ])('is there for the status %i, which is %s', async (statusCode, outcome, meaning) => {
    const path = adviceFor({ statusCode }).page ?? '';
    expect(await read(path)).toMatchObject({
      ...parts,
      id: `/reasons/status-${statusCode}`,
      outcome,
      meaning: expect.stringMatching(meaning),
      example: { outcome, statusCode },
    });
  });

  it.each(['nothing-known', 'status-1000', 'status-99', 'status-5000', '__proto__'])(
    'is not there for %s',
    async (name) => {
      expect((await api.call('GET', `/reasons/${name}`)).status).toBe(404);
    },
  );

  it('is in the list', async () => {
    const { reasons } = (await read('/reasons')) as { reasons: { id: string }[] };
    const listed = reasons.map(({ id }) => id);
    expect(listed).toEqual(
      expect.arrayContaining(Object.keys(REASONS).map((reason) => `/reasons/${reason}`)),
    );
    const html = await readHtml('/reasons');
    for (const id of listed) expect(html).toContain(`<a href="${id}">`);
  });
});
