import { describe, expect, it } from 'vitest';
import { buildPatchAccount } from '../../../core/directory/change-account.ts';
import { late } from '../../support/called-ports.ts';
import { administrationInMemory } from '../../support/directory/administration.ts';
import { pointersOf, refusalOf } from '../../support/refusals.ts';

const anOrganisation = async () => {
  const { directory, administration } = administrationInMemory();
  await administration.createAccount('acme');
  await administration.createAccount('acme-sms', 'acme');
  await administration.createAccount('globex');
  return {
    patch: buildPatchAccount({ accounts: late(directory.accounts) }),
    stored: () => directory.accounts.find('acme'),
  };
};

describe('the e-mails of an account', () => {
  it('are on, are switched off, and on again', async () => {
    const { patch, stored } = await anOrganisation();
    const created = await stored();
    expect(await patch('acme', 'acme', {})).toEqual(created);
    expect(await patch('acme', 'acme', { failureMail: false })).toEqual(await stored());
    expect(await stored()).toEqual({ ...created, failureMail: false });
    await patch('acme', 'acme', {});
    expect(await stored()).toEqual({ ...created, failureMail: false });
    expect(await patch('acme', 'acme', { failureMail: true })).toEqual(created);
    expect(await stored()).toEqual(created);
  });

  it.each([
    [{ failureMail: 'off' }, ['/failureMail']],
    [{ failureMail: null }, ['/failureMail']],
    [{ failureMails: false }, ['/failureMails']],
    [[], ['']],
  ])('stay as they are after the patch %j', async (body, pointers) => {
    const { patch, stored } = await anOrganisation();
    const created = await stored();
    expect(pointersOf(await refusalOf(() => patch('acme', 'acme', body)))).toEqual(pointers);
    expect(await stored()).toEqual(created);
  });

  it('are no setting of an account below, and none of another organisation’s', async () => {
    const { patch } = await anOrganisation();
    const off = { failureMail: false };
    const below = await refusalOf(() => patch('acme', 'acme-sms', off));
    expect(pointersOf(below)).toEqual(['/failureMail']);
    const other = await refusalOf(() => patch('acme', 'globex', off));
    expect(other).toMatchObject({ kind: 'not-found' });
  });
});
