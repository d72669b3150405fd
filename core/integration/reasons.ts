import { IN_WORDS } from '../customer-limits.ts';

/** What happened instead of an answer, as a clause, and what the owner of the endpoint can do. */
interface Words {
  readonly what: string;
  readonly advice: string;
}

/** Why an attempt got no answer, by the name that the API, the log and the metrics have for it. */
export const REASONS = {
  'address-refused': {
    what: 'the address is private, local or reserved',
    advice:
      'Set the endpoint URL to a host name that resolves to public addresses only. Nothing was sent.',
  },
  'not-sent': {
    what: 'the service could not sign or build the request',
    advice:
      'This is an error of the service, and its operator is alerted. If it continues, rotate the secret without an overlap.',
  },
  'dns-failure': {
    what: 'the host name could not be resolved',
    advice: 'Check the spelling of the host in the endpoint URL, and its DNS records.',
  },
  'connect-timeout': {
    what: 'no connection could be made in time',
    advice: `A connection must be made within ${IN_WORDS.connectTimeout}. Check that the server is running, and that its firewall accepts connections from anywhere.`,
  },
  'connection-refused': {
    what: 'the connection was refused',
    advice:
      'No server is listening at this host and port. Start your server, or correct the endpoint URL.',
  },
  'connection-failed': {
    what: 'the connection failed before an answer arrived',
    advice:
      'Your server or a proxy closed the connection. Check its logs at the time of the attempt.',
  },
  'response-timeout': {
    what: 'your endpoint did not answer in time',
    advice: `Answer 2xx within ${IN_WORDS.responseTimeout}, and work on the event afterwards.`,
  },
  'tls-failure': {
    what: 'no secure connection could be made',
    advice:
      'Check the certificate of the host: its name, its dates and its intermediate certificates.',
  },
  'tls-missing': {
    what: 'the server at this port does not speak TLS',
    advice: 'Set the endpoint URL to the port of your HTTPS server.',
  },
  'tls-version-unsupported': {
    what: 'your server does not speak TLS 1.2 or 1.3',
    advice: 'Turn on TLS 1.2 or 1.3.',
  },
  'tls-handshake-refused': {
    what: 'your server ended the TLS handshake',
    advice:
      'Allow common ciphers of TLS 1.2 or 1.3, and require no certificate of the clients of this host.',
  },
  'client-certificate-required': {
    what: 'your server requires a certificate of its clients, and the service has none',
    advice: 'Turn that off for this host, and verify signatures instead.',
  },
  'certificate-expired': {
    what: 'the certificate of the host has expired',
    advice: 'Renew the certificate.',
  },
  'certificate-not-yet-valid': {
    what: 'the certificate of the host is not valid yet',
    advice: 'Check the dates of the certificate.',
  },
  'certificate-name-mismatch': {
    what: 'the certificate is for another host name',
    advice: 'Use a certificate for the host of the endpoint URL.',
  },
  'certificate-missing': {
    what: 'your server has no certificate for this host name',
    advice: 'Check the host of the endpoint URL, and the names that your server is set up for.',
  },
  'certificate-untrusted': {
    what: 'the certificate is not signed by a trusted authority',
    advice: 'Use a certificate from a public authority, such as Let’s Encrypt.',
  },
  'certificate-chain-incomplete': {
    what: 'an intermediate certificate is missing',
    advice: 'Serve the whole chain of certificates.',
  },
  'certificate-too-weak': {
    what: 'the certificate has a short key, or is signed with SHA-1 or MD5',
    advice:
      'Use an RSA key of 2,048 bits or more, or an elliptic curve, and a certificate signed with SHA-256.',
  },
  'malformed-response': {
    what: 'the answer was not a readable HTTP response',
    advice:
      'Your server, or a proxy in front of it, sent an answer that breaks HTTP/1.1. Look at it with curl -v.',
  },
  'malformed-version': {
    what: 'the answer has another version of HTTP than 1.0 or 1.1',
    advice: 'Answer in the version of the request.',
  },
  'malformed-status': {
    what: 'the status of the answer is not a number from 100 to 999',
    advice: 'Answer with a status code of HTTP.',
  },
  'malformed-header': {
    what: 'a header of the answer has a character that HTTP does not allow',
    advice: 'Remove control characters, such as NUL, from the headers of your answers.',
  },
  'malformed-content-length': {
    what: 'the Content-Length of the answer is not one number',
    advice: 'Send it once, with the length of the body, or leave it out.',
  },
  'headers-too-large': {
    what: 'the headers of the answer have more than 64 KiB',
    advice: 'Send fewer or shorter headers.',
  },
  'too-many-interim-answers': {
    what: 'your server sent more than eight interim answers (1xx)',
    advice: 'Send the final answer.',
  },
  'not-http': {
    what: 'the answer is not HTTP',
    advice: 'Check that the port of the endpoint URL is that of your HTTPS server.',
  },
} as const satisfies Record<string, Words>;

export type Reason = keyof typeof REASONS;

/** The words of a reason, or undefined for one that another version has. */
export const wordsOf = (reason: string): Words | undefined =>
  Object.hasOwn(REASONS, reason) ? REASONS[reason as Reason] : undefined;
