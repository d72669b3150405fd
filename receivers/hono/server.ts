import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { serve } from '@hono/node-server';
import app, { type Database } from './app.ts';

const { PORT = '3000', INBOX = 'inbox.db', WEBHOOK_SECRET, PREVIOUS_WEBHOOK_SECRET } = process.env;
if (!WEBHOOK_SECRET) {
  console.error('Set WEBHOOK_SECRET to the secret of your webhook.');
  process.exit(1);
}

// Node has neither bindings nor an execution context, which Cloudflare Workers pass to the app.
const db = new DatabaseSync(INBOX);
db.exec(readFileSync('schema.sql', 'utf8'));
const inbox: Database = {
  prepare: (sql) => ({
    bind: (...values) => ({
      run: async () => ({ meta: { changes: Number(db.prepare(sql).run(...values).changes) } }),
    }),
  }),
};
const bindings = { WEBHOOK_SECRET, PREVIOUS_WEBHOOK_SECRET, INBOX: inbox };
const executionCtx = {
  waitUntil: (work: Promise<unknown>) => void work.catch(console.error),
  passThroughOnException: () => {},
  props: {},
};

serve({
  fetch: (request) => app.fetch(request, bindings, executionCtx),
  port: Number(PORT),
});
