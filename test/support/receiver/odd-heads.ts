const OK = 'HTTP/1.1 200 OK\r\n';
const LENGTH = 'Content-Length: 2\r\n';
const BODY = '\r\nok';
const CHUNKS = '\r\n2\r\nok\r\n0\r\n\r\n';
const withLine = (line: string): string => `${OK}${line}\r\n${LENGTH}${BODY}`;
const NORMAL = withLine('Server: it');

/** Answers that curl or Python's requests reads as a 200 with the body `ok`, and Node refuses. */
export const ODD_HEADS: readonly (readonly [what: string, head: string])[] = [
  ['a length and chunks', `${OK}${LENGTH}Transfer-Encoding: chunked\r\n${CHUNKS}`],
  ['chunks and a length', `${OK}Transfer-Encoding: chunked\r\n${LENGTH}${CHUNKS}`],
  ['one length twice', `${OK}${LENGTH}content-length:2\r\n${BODY}`],
  ['a length with a sign', `${OK}Content-Length: +2\r\n${BODY}`],
  ['a length with a unit', `${OK}Content-Length: 2 bytes\r\n${BODY}`],
  ['a length twice in a list', `${OK}Content-Length: 2, 2\r\n${BODY}`],
  ['a length with a space before its colon', `${OK}Content-Length : 2\r\n${BODY}`],
  ['no coding', `${OK}Transfer-Encoding: identity\r\n${LENGTH}${BODY}`],
  ['an empty coding', `${OK}Transfer-Encoding:\r\n${LENGTH}${BODY}`],
  ['chunks twice', `${OK}${'Transfer-Encoding: chunked\r\n'.repeat(2)}${LENGTH}${CHUNKS}`],
  ['bare LF', NORMAL.replaceAll('\r\n', '\n')],
  ['one bare LF', NORMAL.replace('\r\n', '\n')],
  ['a bare LF at its end', NORMAL.replace('\r\n\r\n', '\r\n\n')],
  ['two CR before each LF', NORMAL.replaceAll('\r\n', '\r\r\n')],
  ['a CR within a line', withLine('Server: i\rt')],
  ['a folded line', withLine('Server: it\r\n folded')],
  ['a line folded with a tab', withLine('Server: it\r\n\tfolded')],
  ['a fold of spaces', withLine('Server: it\r\n   ')],
  ['a space before a colon', withLine('Server : it')],
  ['a tab before a colon', withLine('Server\t: it')],
  ['a space in a name', withLine('My server: it')],
  ['a name that is no token', withLine('Server(1): it')],
  ['a name that is no ASCII', withLine('Größe: it')],
  ['no name', withLine(': it')],
  ['a control character in a name', withLine('Ser\u0001ver: it')],
  ['a control character in a value', withLine('Server: i\u0001t')],
  ['DEL in a value', withLine('Server: i\u007ft')],
  ['colours', withLine('Server: \u001b[1mit')],
  ['a line without a colon', withLine('it')],
  ['a second status line', withLine('HTTP/1.1 500 Oh no')],
  ['a warning of a program', withLine('<b>Warning</b>: it, in <b>hook.php</b> on line 3')],
  ['60 KB with a bare LF', withLine(`Server: ${'i'.repeat(60_000)}\nOf: it`)],
  ['two spaces before the status', NORMAL.replace(' 200', '  200')],
  ['no space after the status', NORMAL.replace('200 ', '200')],
  ['HTTP in lower case', NORMAL.replace('HTTP', 'http')],
  ['an interim head with a bare LF', `HTTP/1.1 103 Early\nLink: <a>\n\n${NORMAL}`],
  ['a normal interim head before it', `HTTP/1.1 103 Early\r\n\r\n${withLine('Server : it')}`],
  ['two odd interim heads', `${'HTTP/1.1 102 Wait\nSo\n\n'.repeat(2)}${NORMAL}`],
];

/** Answers that neither curl nor a careful client reads, and the code of Node's parser. */
export const REFUSED_HEADS: readonly (readonly [what: string, head: string, code: string])[] = [
  ['two lengths', `${OK}Content-Length: 3\r\n${LENGTH}${BODY}`, 'HPE_UNEXPECTED_CONTENT_LENGTH'],
  [
    'two lengths and a bare LF',
    `${OK}Content-Length: 3\n${LENGTH}${BODY}`,
    'HPE_UNEXPECTED_CONTENT_LENGTH',
  ],
  ['a negative length', `${OK}Content-Length: -2\r\n${BODY}`, 'HPE_INVALID_CONTENT_LENGTH'],
  ['a length in words', `${OK}Content-Length: two\r\n${BODY}`, 'HPE_INVALID_CONTENT_LENGTH'],
  ['an empty length', `${OK}Content-Length:\r\n${BODY}`, 'HPE_INVALID_CONTENT_LENGTH'],
  [
    'an unknown coding and a length',
    `${OK}Transfer-Encoding: it\r\n${LENGTH}${BODY}`,
    'HPE_INVALID_CONTENT_LENGTH',
  ],
  ['NUL in a value', withLine('Server: i\0t'), 'HPE_INVALID_HEADER_TOKEN'],
  ['NUL in a name', withLine('Ser\0ver: it'), 'HPE_INVALID_HEADER_TOKEN'],
  ['a fold of the status line', `${OK} folded\r\n${LENGTH}${BODY}`, 'HPE_UNEXPECTED_SPACE'],
  ['a status of two digits', 'HTTP/1.1 20 OK\n\n', 'HPE_INVALID_STATUS'],
  ['a status of four digits', 'HTTP/1.1 2000 OK\n\n', 'HPE_INVALID_STATUS'],
  ['a status below 100', 'HTTP/1.1 099 OK\r\n\r\n', 'HPE_INVALID_STATUS'],
  ['a status with a sign', 'HTTP/1.1 +200 OK\n\n', 'HPE_INVALID_STATUS'],
  ['another version', 'HTTP/1.2 200 OK\n\n', 'HPE_INVALID_VERSION'],
  ['a version without a minor one', 'HTTP/1 200 OK\n\n', 'HPE_INVALID_VERSION'],
  ['a space before HTTP', ` ${NORMAL}`, 'HPE_INVALID_CONSTANT'],
  ['another protocol', 'ICY 200 OK\r\n\r\n', 'HPE_INVALID_CONSTANT'],
  ['a status as a header', `Status: 200 OK\r\n${LENGTH}${BODY}`, 'HPE_INVALID_CONSTANT'],
  ['a body without a head', '{"ok":true}\n\n', 'HPE_INVALID_CONSTANT'],
  ['more than 64 KiB', withLine(`Server: ${'i'.repeat(65_536)}`), 'HPE_HEADER_OVERFLOW'],
  [
    'more than 64 KiB with a bare LF',
    withLine(`Server: it\n${'Of: it and so on\r\n'.repeat(3_800)}`),
    'HPE_CR_EXPECTED',
  ],
  ['more than 64 KiB without an end', `${OK}Server: ${'i'.repeat(70_000)}`, 'HPE_HEADER_OVERFLOW'],
];
