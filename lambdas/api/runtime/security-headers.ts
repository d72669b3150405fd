/**
 * Headers of every answer, those of the gateway included: a browser takes an answer for nothing but
 * its Content-Type, and calls the API over HTTPS only, for a year. Subdomains are left out, because
 * a domain that is put in front of the API may have others below it.
 */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000',
} as const;
