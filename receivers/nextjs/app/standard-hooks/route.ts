import { hasStandardSignature, receive } from '../../lib/webhooks';

export const POST = receive(hasStandardSignature);
