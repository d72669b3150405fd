import { describe, expect, it } from 'vitest';
import { buildGetSignature } from '../../../core/directory/get-signature.ts';
import type { UserSignatures } from '../../../core/directory/user.ts';
import { InMemoryUserSignatures } from '../../support/directory/in-memory-user-signatures.ts';
import { refusalOf } from '../../support/refusals.ts';
import { untouchable } from '../../support/untouchable.ts';

describe('reading a signature', () => {
  const signatures = new InMemoryUserSignatures()
    .add('usr_1', 'acme', 'Best regards,\nIvan 🦊')
    .add('usr_2', 'acme')
    .add('usr_3', 'globex', 'Yours');
  const getSignature = buildGetSignature({ signatures });

  it('gives the Signature resource of the contract', async () => {
    expect(await getSignature('acme', 'usr_1')).toEqual({
      '@context': '/contexts/Signature.jsonld',
      '@type': 'Signature',
      id: '/users/usr_1/signature',
      content: 'Best regards,\nIvan 🦊',
    });
  });

  it('gives an empty text for a user without one', async () => {
    expect(await getSignature('acme', 'usr_2')).toMatchObject({ content: '' });
  });

  it('tells another account the same as it tells of an unknown user', async () => {
    const others = await refusalOf(() => getSignature('acme', 'usr_3'));
    const unknown = await refusalOf(() => getSignature('acme', 'usr_4'));
    expect(others.kind).toBe('not-found');
    expect({ ...others, message: others.message }).toEqual({
      ...unknown,
      message: unknown.message,
    });
  });

  it.each(['', 'a b', 'a/b', 'usr_1#SIGNATURE', '..', 'x'.repeat(65), 'ü'])(
    'does not look for the user %j, which cannot be one',
    async (user) => {
      const guarded = buildGetSignature({
        signatures: untouchable<UserSignatures>('the store of signatures'),
      });
      expect((await refusalOf(() => guarded('acme', user))).kind).toBe('not-found');
    },
  );
});
