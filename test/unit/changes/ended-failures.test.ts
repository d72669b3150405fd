import { describe, expect, it } from 'vitest';
import { aSender, FAILED, RECOVERED } from '../../support/changes/notice-sender.ts';
import { aNotice, at, failedSince } from '../../support/changes/notices.ts';
import { dyingAfter } from '../../support/dying-process.ts';
import { anIntegration } from '../../support/integration/integrations.ts';

describe('a failure that ended without an e-mail', () => {
  const LATER = aNotice('recovered', '15:30:00', { since: at('15:27:00') });
  const HOUR_LATER = at('13:00:01');

  it.each<[string, (scene: Awaited<ReturnType<typeof aSender>>) => Promise<unknown>]>([
    [
      'the integration is switched off',
      async ({ store, sendAt }) => {
        store(anIntegration({ active: false }));
        expect(await sendAt(HOUR_LATER, RECOVERED, 0)).toMatchObject({ because: 'over' });
      },
    ],
    [
      'the account has turned e-mails off',
      async ({ store, sendAt, administration, directory }) => {
        store(anIntegration());
        const account = await administration.findAccount('acme');
        await directory.accounts.replace({ ...account, failureMail: false });
        expect(await sendAt(HOUR_LATER, RECOVERED, 0)).toMatchObject({ because: 'turned-off' });
        await directory.accounts.replace(account);
      },
    ],
    [
      'SES refuses all addresses',
      async ({ store, sendAt, refused }) => {
        store(anIntegration());
        refused.push('ada@example.com', 'cem@example.com');
        expect(await sendAt(HOUR_LATER, RECOVERED, 0)).toMatchObject({ mails: 0 });
        refused.splice(0);
      },
    ],
  ])('is not taken for the one that a later recovery ends: %s', async (_how, end) => {
    const scene = await aSender();
    await scene.send(FAILED);
    await end(scene);

    scene.store(anIntegration());
    expect(await scene.sendAt(at('15:31:00'), LATER, 0)).toMatchObject({ because: 'not-notified' });
    expect(scene.mailer.sent).toHaveLength(2);
  });

  it('is told by the later recovery if it only failed again', async () => {
    const { send, sendAt, store, mailer } = await aSender();
    await send(FAILED);
    store(failedSince('15:27:00'));
    expect(await sendAt(HOUR_LATER, RECOVERED, 0)).toMatchObject({ because: 'over' });

    store(anIntegration());
    expect(await sendAt(at('15:31:01'), LATER, 0)).toMatchObject({ kind: 'sent' });
    expect(mailer.sent.at(-1)?.text).toContain('from 2026-11-20 12:00 UTC');
  });

  it('is forgotten, whichever call was the last of a process that died', async () => {
    for (let calls = 0; ; calls += 1) {
      const { build, send, sendAt, store, states } = await aSender();
      await send(FAILED);
      store(anIntegration({ active: false }));
      // Of another e-mail, which is over: only the time goes on.
      await sendAt(HOUR_LATER, aNotice('still-failed', '13:00:00'));
      const died = await build(dyingAfter(calls))(RECOVERED).then(
        () => false,
        (fault: Error) => fault.message === 'died',
      );
      await sendAt(HOUR_LATER, RECOVERED);
      expect(await states.find(anIntegration().id)).toEqual({ sentAt: at('12:00:01') });
      if (!died) break;
    }
  });
});
