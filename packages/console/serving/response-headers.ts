/** Origins other than the console's own. */
interface Origins {
  /** That the console's pages call. */
  readonly api: string;
  /** The OpenID provider's origins: those of its issuer and of its token endpoint. */
  readonly signIn: readonly string[];
  /** Whose pages may show the console in a frame. */
  readonly embedIn: readonly string[];
}

/**
 * The content security policy of the console. Scripts and styles come only from the console's own
 * files. Cloudscape's fonts and icons are `data:` URLs in its style sheets.
 */
export const contentSecurityPolicy = ({ api, signIn, embedIn }: Origins): string =>
  Object.entries({
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'", 'data:'],
    'connect-src': ["'self'", ...new Set([api, ...signIn])],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': embedIn.length === 0 ? ["'none'"] : embedIn,
  })
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ');

/**
 * The other headers of every file of the console. `X-Frame-Options` cannot name origins: a console that
 * may be embedded is without it.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
};
