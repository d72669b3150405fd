// The bare loop: signed POSTs without a service. As many POSTs in parallel as
// a batch has deliveries, over connections that are kept alive.
import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:https';
import { createDelivery } from '../../core/delivery/route-event.ts';
import { serveParent, settingsOfChild } from '../child.ts';
import { typicalEvent } from '../events.ts';
import {
  BENCHED_KEY,
  BENCHED_SECRET,
  cpuSecondsOf,
  type Round,
  type RoundRequest,
} from './round.ts';

export interface BareProcessSettings {
  readonly url: string;
  readonly bodyBytes: number;
  readonly batchSize: number;
}

const { url, bodyBytes, batchSize } = settingsOfChild<BareProcessSettings>();
const { account, id: integration } = BENCHED_KEY;
const secret = Buffer.from(BENCHED_SECRET);
const key = Buffer.from(BENCHED_SECRET.replace('whsec_', ''), 'base64');
const agent = new Agent({ keepAlive: true });

const post = (id: string, body: string): Promise<number> => {
  const timestamp = Math.floor(Date.now() / 1_000);
  const sending = request(url, {
    method: 'POST',
    agent,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'X-Service-Signature': createHmac('sha256', secret).update(body).digest('hex'),
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
    },
  });
  return new Promise((resolve, reject) => {
    sending.once('error', reject);
    sending.once('response', (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    sending.end(body);
  });
};

let made = 0;
const newBody = () => {
  made += 1;
  return createDelivery(typicalEvent(made, { account, bodyBytes }), integration).body;
};

const runRound = async ({ deliveries }: RoundRequest): Promise<Round> => {
  const batches = Array.from({ length: deliveries / batchSize }, () =>
    Array.from({ length: batchSize }, newBody),
  );
  let failed = 0;
  const cpuS = await cpuSecondsOf(async () => {
    for (const bodies of batches) {
      const statuses = await Promise.all(bodies.map((body, index) => post(`msg_${index}`, body)));
      failed += statuses.filter((status) => status !== 200).length;
    }
  });
  return { cpuS, failed, errors: [] };
};

serveParent({}, runRound);
