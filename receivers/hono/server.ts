import { serve } from '@hono/node-server';
import app from './app.ts';

const { PORT = '3000', WEBHOOK_SECRET, PREVIOUS_WEBHOOK_SECRET } = process.env;
if (!WEBHOOK_SECRET) {
  console.error('Set WEBHOOK_SECRET to the secret of your webhook.');
  process.exit(1);
}

// Node has neither bindings nor an execution context, which Cloudflare Workers pass to the app.
const bindings = { WEBHOOK_SECRET, PREVIOUS_WEBHOOK_SECRET };
const executionCtx = {
  waitUntil: (work: Promise<unknown>) => void work.catch(console.error),
  passThroughOnException: () => {},
  props: {},
};

serve({
  fetch: (request) => app.fetch(request, bindings, executionCtx),
  port: Number(PORT),
});
