import type { SentMail } from 'local-aws/aws/mails.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConsoleServer } from '../../../local/console/console-server.ts';
import { startConsoleUnderTest } from '../../support/local/console-under-test.ts';

const mail = (subject: string, parts: Partial<SentMail> = {}): SentMail => ({
  at: new Date('2026-11-20T12:00:00.123Z'),
  from: 'webhooks@localhost',
  to: ['ada@acme.example'],
  subject,
  text: 'It failed.\n\nRepair it.\n',
  html: '<p>It failed.</p>',
  headers: { 'List-Unsubscribe': '<http://localhost:4080/accounts/acme/settings>' },
  ...parts,
});

let mails: SentMail[];
let server: ConsoleServer;
beforeEach(async () => {
  mails = [];
  server = await startConsoleUnderTest(mails);
});
afterEach(() => server.close());

const open = async (query = '') => {
  const answer = await fetch(`${server.origin}/mailbox${query}`);
  expect(answer.status).toBe(200);
  return { headers: answer.headers, text: await answer.text() };
};

const subjectsIn = (text: string) => [...text.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, it]) => it);

describe('the mailbox of the run', () => {
  it('says when no e-mail was sent', async () => {
    expect((await open()).text).toContain('The service has sent no e-mail yet.');
  });

  it('shows the latest fifty, newest first, with all of each', async () => {
    mails.push(...Array.from({ length: 51 }, (_, number) => mail(`Mail ${number}`)));
    const { text } = await open();

    const subjects = subjectsIn(text);
    expect(subjects).toHaveLength(50);
    expect([subjects[0], subjects[49]]).toEqual(['Mail 50', 'Mail 1']);
    for (const shown of ['2026-11-20 12:00:00 UTC', 'webhooks@localhost', 'ada@acme.example']) {
      expect(text).toContain(`<dd>${shown}</dd>`);
    }
    expect(text).toContain(
      '<dt>List-Unsubscribe</dt><dd>&lt;http://localhost:4080/accounts/acme/settings&gt;</dd>',
    );
    expect(text).toContain('<pre>It failed.\n\nRepair it.\n</pre>');
    expect(text).toContain('/notices');
  });

  it('shows foreign text as text, and HTML in a frame without scripts', async () => {
    const hostile = `"></iframe><script>alert('1')</script>&amp;`;
    const escaped =
      '&quot;&gt;&lt;/iframe&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;';
    mails.push(
      mail(hostile, {
        ...{ from: hostile, to: [hostile], text: hostile, html: hostile },
        headers: { [hostile]: hostile },
      }),
    );
    const { headers, text } = await open();

    expect(text).not.toContain('<script');
    expect(text.split(escaped)).toHaveLength(9);
    expect(text).toContain(
      `sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="&lt;base target=&quot;_blank&quot;&gt;${escaped}">`,
    );
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('script-src');
  });

  it('reloads by itself, until the reader stops that', async () => {
    const { headers, text } = await open();
    expect(headers.get('refresh')).toBe('5');
    expect(text).toContain('<a href="?reload=no">Stop reloading</a>');

    const still = await open('?reload=no');
    expect(still.headers.get('refresh')).toBeNull();
    expect(still.text).toContain('<a href="/mailbox">Reload every 5 seconds</a>');
  });
});
