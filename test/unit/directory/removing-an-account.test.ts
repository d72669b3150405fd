import { describe, expect, it } from 'vitest';
import { accountRemovalOver, type Stores } from '../../support/directory/account-removal.ts';
import { beforeEachCall, interruptedAt } from '../../support/directory/crashing-port.ts';
import { stateOf, twoOrganisations } from '../../support/directory/two-organisations.ts';
import { dyingAfter } from '../../support/dying-process.ts';
import { anIntegration } from '../../support/integration/integrations.ts';

const silently = () => {};

const remove = (stores: Stores, name = 'acme') => accountRemovalOver(stores).remove(name, silently);

/** That a removal leaves nothing of acme, and everything of globex. */
const expectOnlyGlobex = async (stores: Stores): Promise<void> => {
  const left = Object.values(await stateOf(stores, 'acme')).flat();
  expect(left).toEqual([]);
  const untouched = await stateOf((await twoOrganisations()).stores, 'globex');
  expect(await stateOf(stores, 'globex')).toEqual(untouched);
};

describe('removing an organisation', () => {
  it('counts what it has, at any depth, and changes nothing', async () => {
    const { stores } = await twoOrganisations();
    const before = await stateOf(stores, 'acme');
    const { account, counts } = await accountRemovalOver(stores).count('acme');
    expect(account).toMatchObject({ name: 'acme' });
    expect(counts).toEqual({
      accountsBelow: 1,
      users: 2,
      signIns: 3,
      signatures: 1,
      tokens: 3,
      integrations: 2,
      pendingEvents: 0,
      isExact: true,
    });
    expect(await stateOf(stores, 'acme')).toEqual(before);
  });

  it('leaves nothing of it, and leaves other organisations alone', async () => {
    const { stores, administration } = await twoOrganisations();
    await remove(stores);
    await expectOnlyGlobex(stores);
    await expect(administration.findAccount('acme')).rejects.toThrow('There is no account');
    for (const name of ['acme', 'acme-sms']) {
      await expect(administration.createAccount(name)).rejects.toThrow('the name is blocked until');
    }
  });

  it('lets no call of the API add anything, whichever step comes next', async () => {
    const added = new Set<unknown>();
    const late = (stores: Stores) => async () => {
      const [token] = (await twoOrganisations()).stores.directory.tokens.all;
      const { directory, integrations } = stores;
      if (token === undefined || !(await directory.accounts.removedAt('acme'))) return;
      const [id, hash] = ['tok_late', 'late'];
      added.add(await directory.tokens.add({ ...token, account: 'acme', id, hash }));
      added.add(await integrations.add(anIntegration({ id: 'lateLateLate' })));
    };
    const { stores } = await twoOrganisations();
    const call = late(stores);

    await accountRemovalOver(stores, { through: (port) => beforeEachCall(port, call) }).remove(
      'acme',
      silently,
    );

    expect([...added]).toEqual(['no-account']);
    await expectOnlyGlobex(stores);
  });

  it('keeps the account while an operator creates users in it', async () => {
    const { stores, administration } = await twoOrganisations();
    const sleep = async () => {
      await administration.createUser('late', 'acme-sms');
    };
    const removal = accountRemovalOver(stores, { sleep });
    await expect(removal.remove('acme', silently)).rejects.toThrow('run the command again');
    await remove(stores);
    await expectOnlyGlobex(stores);
    expect(await stores.directory.users.find('late')).toBeUndefined();
  });

  it('is refused for an account that does not exist', async () => {
    const { stores } = await twoOrganisations();
    await expect(remove(stores, 'beta')).rejects.toThrow('There is no account "beta".');
  });

  it('completes by a second run, whichever call was the last of the first', async () => {
    let calls = 0;
    for (let isDone = false; !isDone; calls += 1) {
      const { stores } = await twoOrganisations();
      const dying = accountRemovalOver(stores, { through: dyingAfter(calls) });
      isDone = await dying.remove('acme', silently).then(
        () => true,
        (fault: Error) => {
          expect(fault.message).toBe('died');
          return false;
        },
      );
      if (!isDone) {
        // Whatever is left, nothing comes to it.
        const began = (await stores.directory.accounts.removedAt('acme')) !== undefined;
        const late = anIntegration({ id: 'lateLateLate' });
        expect(await stores.integrations.add(late)).toBe(began ? 'no-account' : 'added');
        await remove(stores);
      }
      await expectOnlyGlobex(stores);
    }
    expect(calls).toBeGreaterThan(40);
  });
});

describe('removing an account below an organisation', () => {
  it('removes its users and tokens at once, and nothing of the organisation', async () => {
    const { stores } = await twoOrganisations();
    const { directory } = stores;
    const sleep = () => Promise.reject(new Error('It waits.'));
    const removal = accountRemovalOver(stores, { sleep });
    expect((await removal.count('acme-sms')).counts).toMatchObject({ users: 1, tokens: 1 });
    await removal.remove('acme-sms', silently);
    expect(await stateOf(stores, 'acme')).toMatchObject({
      accounts: [{ name: 'acme' }],
      below: [],
      users: [{ id: 'acme-ada' }],
      people: ['acme-ada'],
      tokens: [{ user: 'acme-ada' }, { user: 'acme-ada' }],
      integrations: [{}, {}],
    });
    expect(await directory.users.find('acme-bob')).toBeUndefined();
  });

  it('is refused while an account is below it', async () => {
    const { stores, administration } = await twoOrganisations();
    await administration.createAccount('acme-sms-west', 'acme-sms');
    await expect(remove(stores, 'acme-sms')).rejects.toThrow(
      'Account "acme-sms" has an account below it, "acme-sms-west"',
    );
    expect(await stores.directory.accounts.find('acme-sms')).toBeDefined();
  });
});

describe('removing a user', () => {
  it('removes the user’s own identities from the user pool', async () => {
    const { stores, administration } = await twoOrganisations();
    await administration.removeUser('acme-ada', stores.pool);
    expect([...stores.pool.people]).toEqual(['acme-bob', 'globex-ada', 'globex-bob']);
  });

  it('removes the entry in the user pool before the identity that names it', async () => {
    const { stores, administration } = await twoOrganisations();
    const pool = interruptedAt(stores.pool, 'remove', () => Promise.reject(new Error('died')));
    await expect(administration.removeUser('acme-ada', pool)).rejects.toThrow('died');
    await administration.removeUser('acme-ada', stores.pool);
    expect(stores.pool.people.has('acme-ada')).toBe(false);
  });
});
