import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fencedBlocks } from '../../tools/docs/markdown.ts';
import {
  asShown,
  expectInOrder,
  paste,
  piecesOf,
  type Shell,
  stepsOf,
} from '../support/journey/pasted-steps.ts';
import { type StartedRun, startRun } from '../support/journey/started-run.ts';
import { freePort } from '../support/receivers/receiver-program.ts';

const STATE_DIRECTORY = '.local/pages';

let run: StartedRun;
beforeAll(async () => {
  run = await startRun(STATE_DIRECTORY);
});
afterAll(() => void run?.process.kill('SIGKILL'));

const hasZsh = spawnSync('zsh', ['--version']).status === 0;
const SHELLS: readonly Shell[] = hasZsh ? ['bash', 'zsh'] : ['bash'];

/** What the pages expect of the shell: the variables of the tutorial, and a webhook. */
const webhookNamed = (name: string): string => `
. ${STATE_DIRECTORY}/playground.sh
AUTH="Authorization: Bearer $TOKEN" JSON='Content-Type: application/json'
HOOK=$(curl -s "$API/acme/integrations" -H "$AUTH" -H "$JSON" -d '{
  "active": true, "provider": "webhook",
  "config": { "baseUrl": "'"$PLAYGROUND"'/hooks/${name}" },
  "settings": { "actions": { "message.received": true } }
}' | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
SINCE=$(date -u +%Y-%m-%dT%H:%M:%SZ)
answer() { curl -s --cacert "$CA" "$PLAYGROUND/hooks/${name}/answer" -X PUT -d "$1"; }
event() { curl -s --cacert "$CA" "$PLAYGROUND/events" -d '{ "type": "message.received", "id": "'"$1"'" }'; }
`;

/** More than a page. All but the first wait without an attempt. */
const EVENTS = 40;

/** Pastes the steps of a page after lines of the test; `before` has further lines by step. */
const pastePage = async (
  page: string,
  setUp: string,
  {
    before = {},
    atTheEnd = '',
    port = 3_000,
    shell,
  }: {
    before?: Readonly<Record<number, string>>;
    atTheEnd?: string;
    port?: number;
    shell: Shell;
  },
) => {
  const text = await readFile(`docs/integrators/${page}`, 'utf8');
  const steps = stepsOf(text.replaceAll(/\b3000\b/g, String(port)));
  const lines = steps.map((step, at) => ({
    ...step,
    lines: `${before[at] ?? ''}${step.lines}${at === steps.length - 1 ? atTheEnd : ''}`,
  }));
  const first = { heading: '', lines: setUp, shown: [] };
  const [, ...printed] = await paste([first, ...lines], { shell });
  return steps.map(({ shown }, at) => ({ shown, pieces: piecesOf(printed[at] ?? '') }));
};

describe.each(SHELLS)('docs/integrators/recover.md, pasted into %s', (shell) => {
  it('recovers an outage, and shows that nothing is left', async () => {
    const outage = `${webhookNamed(`recover-${shell}`)}
answer 503
curl -s --cacert "$CA" "$PLAYGROUND/events?count=${EVENTS}" -d '{ "type": "message.received" }' > /dev/null
until curl -s "$API$HOOK/pending-events?count=true" -H "$AUTH" | grep '"totalItems":${EVENTS}'; do sleep 0.5; done
`;
    const steps = await pastePage('recover.md', outage, {
      before: { 1: 'answer 204\n' },
      atTheEnd: 'curl -s "$API$HOOK/pending-events" -H "$AUTH"\n',
      shell,
    });

    const outages = steps.map(({ shown, pieces }) => ({
      shown: shown.map((line) => line.replace('"totalItems": 3', `"totalItems": ${EVENTS}`)),
      pieces,
    }));
    expect(outages.map(({ shown }) => shown.length)).toEqual([2, 1, 1, 1, 1, 1]);
    for (const { shown, pieces } of outages) expectInOrder(pieces, shown.map(asShown));
    expect(outages.at(-1)?.pieces).toContainEqual(expect.objectContaining({ totalItems: 0 }));
  });
});

describe.each(SHELLS)('docs/integrators/first-webhook.md, pasted into %s', (shell) => {
  it('receives a test on the machine of the reader', async () => {
    const port = await freePort();
    const folder = await mkdtemp(`${STATE_DIRECTORY}/newcomer-`);
    await writeFile(`${folder}/listen.log`, 'Posting the events of an earlier try\n');
    const newcomer = `
. ${STATE_DIRECTORY}/playground.sh
unset CA PLAYGROUND
cd ${folder}
`;
    const steps = await pastePage('first-webhook.md', newcomer, { port, shell });

    expect(steps.map(({ shown }) => shown.length)).toEqual([1, 1, 1, 2, 1]);
    for (const { shown, pieces } of steps) expectInOrder(pieces, shown.map(asShown));
  });
});

describe.each(SHELLS)('docs/integrators/reconcile.md, pasted into %s', (shell) => {
  it('finds lost and undelivered events, and sends the lost ones again', async () => {
    const page = await readFile('docs/integrators/reconcile.md', 'utf8');
    await writeFile(`${STATE_DIRECTORY}/reconcile.mjs`, fencedBlocks(page, 'js').join(''));
    const days = `${webhookNamed(`reconcile-${shell}`)}
UNTIL=2100-01-01T00:00:00Z
curl -s "$API$HOOK/test" -H "$AUTH" -H "$JSON" -d '{ "eventType": "message.received" }'
for EVENT in evt_1 evt_2; do
  event $EVENT
  until curl -s "$API$HOOK/deliveries/$EVENT" -H "$AUTH" | grep '"outcome":"delivered"'; do sleep 0.5; done
done
answer 500
event evt_3
until curl -s "$API$HOOK/deliveries/evt_3" -H "$AUTH" | grep '"outcome":"fatal"'; do sleep 0.5; done
answer 204
cd ${STATE_DIRECTORY}
echo "$HOOK/deliveries/evt_1" > ids.txt
`;
    const steps = await pastePage('reconcile.md', days, { shell });

    expect(steps.map(({ shown }) => shown.length)).toEqual([2, 1]);
    // Events that occur within a millisecond are listed in any order.
    for (const { shown, pieces } of steps) {
      expect(pieces).toHaveLength(shown.length);
      expect(pieces).toEqual(expect.arrayContaining(shown.map(asShown)));
    }
  });
});
