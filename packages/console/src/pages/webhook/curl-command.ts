import type { DeliveryDetails } from '../../api/resources.ts';

/** The `id` in the request: without the base path of the API. */
export const webhookIdOf = ({ id }: Pick<DeliveryDetails, 'id'>): string =>
  id.slice(id.lastIndexOf('/integrations/'));

/** Short lines: a terminal that edits lines itself cuts them at 4,096 bytes, that of macOS at 1,024. */
const LINE = /.{1,76}/g;

/**
 * A text as lines of base64. Quoting protects it from the shell alone: a terminal without bracketed
 * paste takes U+007F, for example, as a backspace, which deletes the quotes.
 */
const base64Lines = (text: string): string => {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return btoa(bytes.join('')).match(LINE)?.join('\n') ?? '';
};

/**
 * Commands for every POSIX shell that send a delivery as the service does, signed anew by the secret
 * that the reader exports. They are printable ASCII, with nothing that a shell would read otherwise
 * at its prompt.
 */
export const curlCommand = (delivery: Pick<DeliveryDetails, 'id'>, body: string): string =>
  `# First: export WEBHOOK_SECRET='whsec_...'
TO=\${TO:-http://localhost:3000/hooks}
ID=${webhookIdOf(delivery)} AT=$(date +%s)
body() { openssl base64 -d <<'END-OF-BODY'
${base64Lines(body)}
END-OF-BODY
}
hmac() { openssl dgst -sha256 -mac HMAC -macopt "hexkey:$1" -binary; }
hex() { od -An -v -tx1 | tr -d ' \\n'; }
KEY=$(printf %s "$WEBHOOK_SECRET" | hex)
case $WEBHOOK_SECRET in
  whsec_*) STANDARD_KEY=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | hex) ;;
  *) STANDARD_KEY=$KEY ;;
esac
body | curl -i "$TO" --data-binary @- \\
  -H 'Content-Type: application/json' -H 'Accept-Encoding: identity' \\
  -H "X-Service-Signature: $(body | hmac "$KEY" | hex)" \\
  -H "webhook-id: $ID" -H "webhook-timestamp: $AT" \\
  -H "webhook-signature: v1,$({ printf %s "$ID.$AT."; body; } | hmac "$STANDARD_KEY" | openssl base64 -A)"
`;
