/** Sends what it was called with to the queue in its environment, then does as the body says. */
export const consumer = `
import tls from 'node:tls';
const say = (saying) => fetch(process.env.AWS_ENDPOINT_URL, {
  method: 'POST',
  headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessage' },
  body: JSON.stringify({ QueueUrl: process.env.SAYINGS_URL, MessageBody: JSON.stringify(saying) }),
});
const deeds = {
  throw: () => { throw new TypeError('the handler threw'); },
  hang: () => new Promise(() => {}),
  spin: () => { for (;;); },
  exit: () => process.exit(0),
  crash: () => new Promise(() => { setImmediate(() => { throw new RangeError('out of band'); }); }),
  exhaust: () => { const all = []; for (;;) all.push(new Array(100_000).fill(all.length)); },
  partial: (records) => ({ batchItemFailures: records
    .filter(({ body }) => body.includes('failing'))
    .map(({ messageId }) => ({ itemIdentifier: messageId })) }),
  nullIdentifier: () => ({ batchItemFailures: [{ itemIdentifier: null }] }),
  emptyIdentifier: () => ({ batchItemFailures: [{ itemIdentifier: '' }] }),
  unknownIdentifier: () => ({ batchItemFailures: [{ itemIdentifier: 'nobody' }] }),
  malformed: () => ({ batchItemFailures: 'all of them' }),
  nothing: () => undefined,
};
export const handler = async (event, context) => {
  const deed = event.Records[0].body.split(' ')[0];
  console.log('doing ' + deed);
  await say({
    event,
    functionName: context.functionName,
    remainingMs: context.getRemainingTimeInMillis(),
    environment: process.env,
    trusted: tls.getCACertificates('default'),
  });
  return deeds[deed](event.Records);
};`;
