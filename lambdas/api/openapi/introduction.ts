import { MEDIA_TYPE } from '../runtime/request-headers.ts';
import type { Tag } from '../runtime/route.ts';

/** The description of the API as a whole, in Markdown. */
export const INTRODUCTION = `
Registers webhooks, shows what became of every delivery, and sends again what did not arrive.

## Every call

**Token.** \`Authorization: Bearer <token>\`. A token is of one user and one account, and is \`admin\` (reads and
writes) or \`member\` (reads). Resources of other accounts return 404.

**Media types.** Answers are \`${MEDIA_TYPE}\`, \`application/ld+json\` or \`application/json\`,
whichever \`Accept\` prefers; the first for a wildcard, or without \`Accept\`. A body may be any of the three. A body
has at most 65,536 bytes.

**Errors** are problem documents (RFC 9457), \`application/problem+json\`. \`type\` is the path of a page about the
problem, and its last segment names the problem. Where a request is not valid, \`errors\` names each thing that is wrong
by \`pointer\` (into the body), \`parameter\` (of the query) or \`header\`.

**Pages.** A collection has \`member\`, and \`view.next\` while there is more: read that path, and so on. A cursor is
opaque; change neither it nor the filters on the way.

**Repeating.** Every read can be repeated. So can \`PUT\` and \`DELETE\` (the second \`DELETE\` is \`404\`); a creation
with the same \`Idempotency-Key\` makes one integration only, for 24 hours. \`If-Match\` with the \`ETag\` of a read keeps
one change from undoing another.

**Instants** are RFC 3339, in UTC. Members that have no value are absent, never \`null\`.
`.trim();

export const TAGS: Readonly<Record<Tag | 'Webhook', string>> = {
  Integrations: 'Where the events of an account are sent, which of them, and how they are signed.',
  Deliveries: 'What was sent to an integration, what came back, and what still waits.',
  Activity: 'What happened to the integrations of an account, and who did it.',
  'Test and recover': 'Test an endpoint, retry it now, and send again what did not arrive.',
  Accounts: 'An organisation’s accounts and their users, and who is calling.',
  'Access tokens': 'Credentials for programs that call this API.',
  Signatures: 'The texts that users’ outgoing messages can end with.',
  // Apart, because generators of clients make one file of each tag, and one of the webhooks’ tags.
  Webhook: 'What your endpoint receives.',
  Reference: 'What events, documents and this API are made of.',
};
