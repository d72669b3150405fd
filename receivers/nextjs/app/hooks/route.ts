import { hasServiceSignature, receive } from '../../lib/webhooks';

export const POST = receive(hasServiceSignature);
