/** Origins that the console's pages talk to, beside the console's own. */
interface Spoken {
  readonly api: string;
  /** Of the OpenID provider: its issuer's, its token endpoint's. */
  readonly signIn: readonly string[];
}

/**
 * The policy of every page of the console: scripts and styles come from files of the console alone,
 * nothing is inline. Cloudscape's fonts and icons are `data:` URLs in its style sheets.
 */
export const contentSecurityPolicy = ({ api, signIn }: Spoken): string =>
  Object.entries({
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'", 'data:'],
    'connect-src': ["'self'", ...new Set([api, ...signIn])],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  })
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ');

/** The headers of every file of the console, beside the policy. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
};
