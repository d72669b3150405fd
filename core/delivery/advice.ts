import { wordsOf } from '../integration/reasons.ts';

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
  /** How the body of the answer begins. */
  readonly response?: string | undefined;
  /** A name of `REASONS`, or of another version. */
  readonly reason?: string | undefined;
}

export const reasonPage = (name: string | number): string =>
  `/reasons/${typeof name === 'number' ? `status-${name}` : name}`;

export const adviceFor = (observed: Observed): Advice =>
  observed.statusCode === undefined
    ? adviceWithoutAnswer(observed)
    : adviceForStatus(observed.statusCode, observed);

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
  419: 'Your framework, probably Laravel, demands a CSRF token, which webhooks do not have. Exempt this path.',
  422: 'Your code refused the content. Compare what was sent, which the delivery shows, with what your code expects.',
  429: 'Your endpoint limits the rate of requests. Raise the limit, or answer 2xx first and work on the event afterwards.',
  501: 'Your server does not support POST here. Set the endpoint URL to a route that does.',
  502: 'A proxy in front of your application got no valid response from it. Check that the application is running.',
  503: 'Your server is down, overloaded or being deployed. Retry when it is back.',
  504: 'A gateway in front of your application waited too long. Answer 2xx first, and work on the event afterwards.',
  509: 'Your web host has a limit of traffic, which is used up. Raise it.',
  511: 'A network in front of your server demands a login. Let requests to this path through.',
};

interface Sign {
  readonly statusCode: number;
  readonly location?: RegExp;
  readonly response?: RegExp;
  readonly advice: string;
}

/** What an answer says beyond its status, which alone would mislead. */
const SIGNS: readonly Sign[] = [
  {
    statusCode: 302,
    location: /^script\.googleusercontent\.com(\/|$)/,
    advice:
      'Your Google Apps Script ran, but answered with a redirect, which confirms nothing: it runs again at each attempt. The address of the redirect takes no events. The guide “Low-code receivers” shows what to put before the script.',
  },
  {
    statusCode: 403,
    response: /"Missing Authentication Token"/,
    advice:
      'Amazon API Gateway has no POST at this path, or one for signatures of IAM alone. Check the path of the endpoint URL, with its stage, that the API is deployed, and that the method has no authorization by IAM.',
  },
  ...[400, 403].map((statusCode) => ({
    statusCode,
    // Not the meta element that pages of Rails and Laravel have, also those of other errors.
    response: /\bcsrf\b(?!-(?:token|param)["'])/i,
    advice:
      'Your framework demands a CSRF token, which webhooks do not have. Exempt this path, in Django with csrf_exempt, in Flask with csrf.exempt.',
  })),
  {
    statusCode: 422,
    response: /The change you wanted was rejected|InvalidAuthenticityToken/,
    advice:
      'Rails demands a CSRF token, which webhooks do not have. Skip verify_authenticity_token in this controller.',
  },
];

const isSeen = (sign: RegExp | undefined, text = ''): boolean =>
  sign === undefined || sign.test(text);

const adviceForStatus = (statusCode: number, { location, response }: Observed): Advice => {
  const name = STATUS_NAMES[statusCode];
  const sign = SIGNS.find(
    (one) =>
      one.statusCode === statusCode &&
      isSeen(one.location, location) &&
      isSeen(one.response, response),
  );
  return {
    what: `your endpoint answered ${statusCode}${name === undefined ? '' : ` (${name})`}`,
    advice: sign?.advice ?? STATUS_ADVICE[statusCode] ?? adviceByClass(statusCode, location),
    page: reasonPage(statusCode),
  };
};

const NOT_MODIFIED = 304;

const adviceByClass = (statusCode: number, location = 'the address in its Location'): string => {
  if (statusCode >= 200 && statusCode < 300)
    return 'The event is confirmed. You do not have to do anything.';
  if (statusCode >= 300 && statusCode < 400 && statusCode !== NOT_MODIFIED) {
    return `Redirects are not followed. The redirect points to ${location}. If it takes POST requests, set the endpoint URL to it. If it is a login page, require no login for webhooks.`;
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

const adviceWithoutAnswer = ({ reason = '' }: Observed): Advice => {
  const words = wordsOf(reason);
  return words
    ? { ...words, page: reasonPage(reason) }
    : {
        what: `your endpoint did not answer${reason && ` (${reason})`}`,
        advice: 'Send a test to see what your endpoint answers now.',
      };
};
