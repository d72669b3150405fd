import type { ConsoleUser } from './console-users.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Of the page with the e-mails of the service. */
export const MAILBOX_PATH = '/mailbox';

/** The text for a place between tags, or between the quotation marks of an attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

/** A page beside the console, whose style sheet and scripts are files beside this one. `main` is HTML. */
export const page = (title: string, main: string, { script = '' } = {}): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · Messaging</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/oidc/pages.css">
${script && `<script src="${script}" defer></script>`}
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${main}
</main>
</body>
</html>
`;

/** A page that says something and, unless told otherwise, leads to the console. */
export const messagePage = (title: string, text: string, { link = true } = {}): string =>
  page(
    title,
    `<p>${escapeHtml(text)}</p>${link ? '\n<p><a href="/">Go to the console</a></p>' : ''}`,
  );

export const startingPage = (): string =>
  messagePage('Starting', 'The service is starting. This page shows the console once it runs.', {
    link: false,
  });

interface SignInPage {
  readonly users: readonly ConsoleUser[];
  /** Of a sign-in that was refused, and why. */
  readonly refused?: { readonly username: string; readonly reason: string } | undefined;
}

/** The form is sent to the page's own address. */
export const signInPage = ({ users, refused }: SignInPage): string =>
  page(
    'Sign in',
    `${refused ? `<p id="refusal" class="refusal" role="alert">${escapeHtml(refused.reason)}</p>` : ''}
<form method="post">
<label for="username">Username</label>
<input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required${fieldState(refused, false)} value="${escapeHtml(refused?.username ?? '')}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${fieldState(refused, true)}>
<button>Sign in</button>
</form>
<section aria-labelledby="users">
<h2 id="users">Who can sign in here</h2>
<p>This page is on your machine only, so it shows the passwords.</p>
<table>
<thead><tr><th scope="col">Username</th><th scope="col">Password</th><th scope="col">Role</th></tr></thead>
<tbody>
${users.map(userRow).join('\n')}
</tbody>
</table>
<p><a href="${MAILBOX_PATH}">Mailbox</a>: the e-mails of the service.</p>
</section>`,
  );

/** The first field takes the cursor; after a refusal the password does, as the name is there. */
const fieldState = (refused: SignInPage['refused'], isPassword: boolean): string => {
  const focus = isPassword === (refused !== undefined) ? ' autofocus' : '';
  return refused ? `${focus} aria-invalid="true" aria-describedby="refusal"` : focus;
};

const userRow = ({ username, password, account, role }: ConsoleUser): string => {
  const cells = [username, password].map((text) => `<td><code>${escapeHtml(text)}</code></td>`);
  return `<tr>${cells.join('')}<td>${escapeHtml(standing({ account, role }))}</td></tr>`;
};

/** Such as "admin of acme". */
export const standing = ({ account, role }: Pick<ConsoleUser, 'account' | 'role'>): string =>
  `${role} of ${account}`;

/** `form` has the provider's fields. A script submits it unless the reader has to be asked. */
export const signOutPage = (form: string, { mustAsk }: { mustAsk: boolean }): string =>
  page(
    'Sign out',
    `${form}
<p>This ends your sign-in to the console in this browser.</p>
<p><button form="op.logoutForm" name="logout" value="yes">Sign out</button></p>`,
    mustAsk ? {} : { script: '/oidc/sign-out.js' },
  );
