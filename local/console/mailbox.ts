import type { ServerResponse } from 'node:http';
import type { SentMail } from 'local-aws/aws/mails.ts';
import { escapeHtml, MAILBOX_PATH, page } from './pages.ts';

/** Also of the mails in the page's frames, which bring styles of their own. Nothing else is loaded. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const MOST_SHOWN = 50;
const RELOAD_SECONDS = 5;

/** Answers with the page of the latest mails, which reloads by itself unless the query says `reload=no`. */
export const answerWithMailbox = (
  response: ServerResponse,
  mails: readonly SentMail[],
  query: URLSearchParams,
): void => {
  const reloads = query.get('reload') !== 'no';
  response.writeHead(200, {
    'cache-control': 'no-store',
    'content-security-policy': POLICY,
    'content-type': 'text/html; charset=utf-8',
    ...(reloads && { refresh: String(RELOAD_SECONDS) }),
  });
  response.end(mailboxPage(mails, reloads));
};

const mailboxPage = (mails: readonly SentMail[], reloads: boolean): string =>
  page(
    'Mailbox',
    `<p>${mails.length === 0 ? 'The service has sent no e-mail yet.' : 'The e-mails of the service, newest first. None left this machine.'}
${
  reloads
    ? `This page reloads every ${RELOAD_SECONDS} seconds. <a href="?reload=no">Stop reloading</a>`
    : `<a href="${MAILBOX_PATH}">Reload every ${RELOAD_SECONDS} seconds</a>`
}</p>
${mails.slice(-MOST_SHOWN).toReversed().map(mailArticle).join('\n')}
${mails.length > MOST_SHOWN ? `<p>The playground lists older e-mails at /notices.</p>` : ''}`,
  );

const mailArticle = ({ at, from, to, subject, text, html, headers }: SentMail): string => {
  const sent = `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const rows = Object.entries({ Sent: sent, From: from, To: to.join(', '), ...headers });
  return `<article>
<h2>${escapeHtml(subject)}</h2>
<dl>
${rows.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('\n')}
</dl>
<pre>${escapeHtml(text)}</pre>
<iframe title="${escapeHtml(`As HTML: ${subject}`)}" loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeHtml(`<base target="_blank">${html}`)}"></iframe>
</article>`;
};
