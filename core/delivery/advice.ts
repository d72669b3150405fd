import { REASONS, type Reason } from './attempt.ts';

/** What the endpoint did, and what its owner can do about it. */
export interface Advice {
  /** A clause: "your endpoint answered 500 (Internal Server Error)". */
  readonly what: string;
  readonly advice: string;
  /** Path of the API's page about it; absent if there is none. */
  readonly page?: string;
}

/** The result of an attempt, or of the latest attempt of a failed webhook. */
export interface Observed {
  readonly statusCode?: number | undefined;
  /** Host and path that a redirect points to. */
  readonly location?: string | undefined;
  /** In the words of the API. */
  readonly reason?: string | undefined;
  readonly code?: string | undefined;
}

export const reasonPage = (name: Reason | number): string =>
  `/reasons/${typeof name === 'number' ? `status-${name}` : name}`;

export const adviceFor = (observed: Observed): Advice =>
  observed.statusCode === undefined
    ? adviceWithoutAnswer(observed)
    : adviceForStatus(observed.statusCode, observed.location);

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const STATUS_NAMES: Readonly<Record<number, string>> = {
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** "500 Internal Server Error", or only the number if the status has no common name. */
export const statusInWords = (statusCode: number): string =>
  [statusCode, STATUS_NAMES[statusCode]].filter((part) => part !== undefined).join(' ');

const STATUS_ADVICE: Readonly<Record<number, string>> = {
  400: 'Your code refused the content. Compare what was sent, which the delivery shows, with what your code expects.',
  401: 'Your endpoint asked for a login, or your code refused the signature. Check the webhook secret, and that the path needs no login.',
  403: 'A firewall, a bot filter or your own code refused the request. Allow POST requests to this path. Do not filter by IP address: our addresses change.',
  404: 'This path does not exist. Check the path of the endpoint URL, and that your route is deployed.',
  405: 'This path does not accept POST. Set the endpoint URL to a route that does.',
  408: 'Your server timed out before it had read the request. Check the timeouts of your proxy.',
  410: 'Your server says that this address no longer exists. Change the endpoint URL, or delete this webhook.',
  413: 'Your server only accepts smaller bodies. Allow bodies of up to 256 KiB.',
  415: 'Your server does not accept application/json. Allow JSON on this path.',
  422: 'Your code refused the content. Compare what was sent, which the delivery shows, with what your code expects.',
  429: 'Your endpoint limits the rate of requests. Raise the limit, or answer 2xx first and work on the event afterwards.',
  501: 'Your server does not support POST here. Set the endpoint URL to a route that does.',
  502: 'A proxy in front of your application got no valid response from it. Check that the application is running.',
  503: 'Your server is down, overloaded or being deployed. Retry when it is back.',
  504: 'A gateway in front of your application waited too long. Answer 2xx first, and work on the event afterwards.',
};

const adviceForStatus = (statusCode: number, location: string | undefined): Advice => {
  const name = STATUS_NAMES[statusCode];
  return {
    what: `your endpoint answered ${statusCode}${name === undefined ? '' : ` (${name})`}`,
    advice: STATUS_ADVICE[statusCode] ?? adviceByClass(statusCode, location),
    page: reasonPage(statusCode),
  };
};

const NOT_MODIFIED = 304;

const adviceByClass = (statusCode: number, location = 'the address in its Location'): string => {
  if (statusCode >= 200 && statusCode < 300)
    return 'The event is confirmed. You do not have to do anything.';
  if (statusCode >= 300 && statusCode < 400 && statusCode !== NOT_MODIFIED) {
    return `Redirects are not followed. The redirect points to ${location}. Set the endpoint URL to this address, or, if it is a login page, require no login for webhooks.`;
  }
  if (statusCode >= 520 && statusCode <= 530) {
    return 'Cloudflare, in front of your server, got no valid response from it. Check that the server is running, and its certificate.';
  }
  if (statusCode >= 500 && statusCode < 600) {
    return 'Your code failed while it handled the event. Check its logs at the time of the attempt.';
  }
  if (statusCode >= 400 && statusCode < 500) {
    return 'Your endpoint refused the request. Its response, shown in the delivery, may say why.';
  }
  return 'Only a 2xx confirms an event. Make your endpoint answer 200 or 204.';
};

interface Unanswered {
  readonly advice: string;
  /** Advice by the system's error code, if the code is more specific than the reason. */
  readonly byCode?: Readonly<Record<string, string>>;
}

const SELF_SIGNED =
  'The certificate is not signed by a trusted authority. Use one from a public authority, such as Let’s Encrypt.';

const WEAK_KEY =
  'The key of the certificate is too short. Use an RSA key of 2,048 bits or more, or an elliptic curve.';

const OLD_TLS = 'Your server does not speak TLS 1.2 or 1.3. Turn on one of them.';

const CONTENT_LENGTH =
  'The Content-Length of the answer is not one number. Send it once, with the length of the body, or leave it out.';

export const UNANSWERED: Readonly<Record<Reason, Unanswered>> = {
  'address-refused': {
    advice:
      'Set the endpoint URL to a host name that resolves to public addresses only. Nothing was sent.',
  },
  'not-sent': {
    advice:
      'This is an error of the service, and its operator is alerted. If it continues, rotate the secret without an overlap.',
  },
  'connect-timeout': {
    advice:
      'A connection must be made within 5 seconds. Check that the server is running, and that its firewall accepts connections from anywhere.',
  },
  'response-timeout': {
    advice: 'Answer 2xx within 15 seconds, and work on the event afterwards.',
  },
  'dns-failure': {
    advice: 'Check the spelling of the host in the endpoint URL, and its DNS records.',
  },
  'connection-refused': {
    advice:
      'No server is listening at this host and port. Start your server, or correct the endpoint URL.',
  },
  'connection-failed': {
    advice:
      'Your server or a proxy closed the connection. Check its logs at the time of the attempt.',
  },
  'tls-failure': {
    advice:
      'Check the certificate of the host: its name, its dates and its intermediate certificates.',
    byCode: {
      CERT_HAS_EXPIRED: 'The certificate has expired. Renew it.',
      CERT_NOT_YET_VALID: 'The certificate is not valid yet. Check its dates.',
      ERR_TLS_CERT_ALTNAME_INVALID:
        'The certificate is for another host name. Use a certificate for the host of the endpoint URL.',
      DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
      SELF_SIGNED_CERT_IN_CHAIN: SELF_SIGNED,
      UNABLE_TO_GET_ISSUER_CERT_LOCALLY: SELF_SIGNED,
      UNABLE_TO_VERIFY_LEAF_SIGNATURE:
        'An intermediate certificate is missing. Serve the whole chain.',
      EE_CERTIFICATE_KEY_TOO_WEAK: WEAK_KEY,
      CA_CERTIFICATE_KEY_TOO_WEAK: WEAK_KEY,
      CA_SIGNATURE_DIGEST_ALGORITHM_TOO_WEAK:
        'The certificate is signed with SHA-1 or MD5. Use one signed with SHA-256.',
      ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED:
        'Your server requires a certificate of its clients, and the service has none. Turn that off for this host, and verify signatures instead.',
      ERR_SSL_SSL_TLS_ALERT_HANDSHAKE_FAILURE:
        'Your server ended the TLS handshake. Allow common ciphers of TLS 1.2 or 1.3, and require no certificate of its clients.',
      ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: OLD_TLS,
      ERR_SSL_UNSUPPORTED_PROTOCOL: OLD_TLS,
      ERR_SSL_TLSV1_UNRECOGNIZED_NAME:
        'Your server has no certificate for this host name. Check the host of the endpoint URL, and the names that your server is set up for.',
      ERR_SSL_WRONG_VERSION_NUMBER:
        'The server at this port does not speak TLS. Set the endpoint URL to the port of your HTTPS server.',
    },
  },
  'malformed-response': {
    advice:
      'Your server, or a proxy in front of it, sent an answer that breaks HTTP/1.1. Look at it with curl -v.',
    byCode: {
      HPE_INVALID_CONSTANT:
        'The answer is not HTTP. Check that the port of the endpoint URL is that of your HTTPS server.',
      HPE_INVALID_VERSION:
        'The answer has another version of HTTP than 1.0 or 1.1. Answer in the version of the request.',
      HPE_INVALID_STATUS: 'The status of the answer is not a number from 100 to 999.',
      HPE_HEADER_OVERFLOW:
        'The headers of the answer have more than 64 KiB. Send fewer or shorter.',
      HPE_INVALID_CONTENT_LENGTH: CONTENT_LENGTH,
      HPE_UNEXPECTED_CONTENT_LENGTH: CONTENT_LENGTH,
      HPE_INVALID_HEADER_TOKEN:
        'A header of the answer has a character that HTTP does not allow, such as NUL.',
      TOO_MANY_INTERIM_ANSWERS:
        'Your server sent more than eight interim answers (1xx). Send the final answer.',
    },
  },
};

const REASON_NAMES = Object.keys(REASONS) as Reason[];

const adviceWithoutAnswer = ({ reason, code = '' }: Observed): Advice => {
  const name = REASON_NAMES.find((candidate) => REASONS[candidate] === reason);
  if (name === undefined) {
    return {
      what: reason ?? 'your endpoint did not answer',
      advice: 'Send a test to see what your endpoint answers now.',
    };
  }
  const { advice, byCode = {} } = UNANSWERED[name];
  const what = REASONS[name];
  const page = reasonPage(name);
  return Object.hasOwn(byCode, code)
    ? { what, advice: byCode[code] ?? advice, page: `${page}#${code}` }
    : { what, advice, page };
};
