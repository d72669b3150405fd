import { MEDIA_TYPE } from '../runtime/request-headers.ts';
import type { Tag } from '../runtime/route.ts';

/** The description of the API as a whole, in Markdown. */
export const INTRODUCTION = `
Manage webhooks, see every delivery, and send again what was not delivered.

## Every call

**Token.** \`Authorization: Bearer <token>\`. A token belongs to one user and one account, and is \`admin\` (reads and
writes) or \`member\` (reads). Resources of other accounts return 404.

**Media types.** Answers are \`${MEDIA_TYPE}\`, \`application/ld+json\` or \`application/json\`,
whichever \`Accept\` prefers; the first for a wildcard, or without \`Accept\`. A body may be any of the three. A body
has at most 65,536 bytes.

**Errors** are problem documents (RFC 9457), \`application/problem+json\`. \`type\` is the path of a page about the
problem, and its last segment names the problem. If a request is not valid, \`errors\` names each error by \`pointer\`
(into the body), \`parameter\` (of the query) or \`header\`.

**Pages.** A collection has \`member\`, and \`view.next\` until the last page: the path of the next page. A cursor is
opaque: change neither it nor the filters.

**Repeating.** You can repeat every read, \`PUT\` and \`DELETE\` (the second \`DELETE\` is \`404\`). A creation
with the same \`Idempotency-Key\` makes one integration only, for 24 hours. \`If-Match\` with the \`ETag\` of a read prevents
that one change undoes another.

**Later versions** may add members to answers, event types and kinds of changes. Ignore what you do not know.

**Instants** are RFC 3339, in UTC. Members that have no value are absent, never \`null\`.
`.trim();

export const TAGS: Readonly<Record<Tag | 'Webhook', string>> = {
  Integrations: 'Webhooks: which events of an account are sent, where to, and how they are signed.',
  Deliveries: 'What was sent to an integration, how it was answered, and what is pending.',
  Activity: 'What happened to the integrations of an account, and who did it.',
  'Test and recover': 'Test an endpoint, retry now, and send again what was not delivered.',
  Accounts: 'An organisation’s accounts and their users, and who is calling.',
  'Access tokens': 'Credentials for programs that call this API.',
  'Console links': 'The web console behind the sign-in of the platform.',
  Signatures: 'Texts that can be appended to users’ outgoing messages.',
  // Apart, because generators of clients make one file of each tag, and one of the webhooks’ tags.
  Webhook: 'What your endpoint receives.',
  Reference: 'Schemas, explanations and guides.',
};
