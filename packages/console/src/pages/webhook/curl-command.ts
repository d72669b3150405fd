import type { DeliveryDetails } from '../../api/resources.ts';

/** A word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The `id` in the request: without the base path of the API. */
export const webhookIdOf = ({ id }: Pick<DeliveryDetails, 'id'>): string =>
  id.slice(id.lastIndexOf('/integrations/'));

/**
 * Shell commands that send a delivery as the service does, signed anew by the secret that the reader
 * exports. The body is piped: a word of a command may be too short for it.
 */
export const curlCommand = (delivery: Pick<DeliveryDetails, 'id'>, body: string): string =>
  `# First: export WEBHOOK_SECRET='whsec_…'
TO=\${TO:-http://localhost:3000/hooks}
ID=${quoted(webhookIdOf(delivery))} AT=$(date +%s)
BODY=${quoted(body)}
hmac() { openssl dgst -sha256 -mac HMAC -macopt "hexkey:$1" "\${@:2}"; }
hex() { od -An -v -tx1 | tr -d ' \\n'; }
KEY=$(printf %s "$WEBHOOK_SECRET" | hex)
case $WEBHOOK_SECRET in
  whsec_*) STANDARD_KEY=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | hex) ;;
  *) STANDARD_KEY=$KEY ;;
esac
printf %s "$BODY" | curl -i "$TO" --data-binary @- \\
  -H 'Content-Type: application/json' -H 'Accept-Encoding: identity' \\
  -H "X-Service-Signature: $(printf %s "$BODY" | hmac "$KEY" | sed 's/.* //')" \\
  -H "webhook-id: $ID" -H "webhook-timestamp: $AT" \\
  -H "webhook-signature: v1,$(printf %s "$ID.$AT.$BODY" | hmac "$STANDARD_KEY" -binary | openssl base64 -A)"
`;
