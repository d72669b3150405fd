import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type {
  Administration,
  AdministrationPorts,
} from '../../../core/directory/administration.ts';
import { administrationInMemory } from '../../support/directory/administration.ts';
import {
  InMemoryTokenCredentials,
  InMemoryTokenList,
} from '../../support/directory/in-memory-directory.ts';

const sha256 = (token: string) => createHash('sha256').update(token).digest('hex');

const withAda = async (replaced: Partial<AdministrationPorts> = {}) => {
  const made = administrationInMemory(replaced);
  await made.administration.createAccount('acme');
  await made.administration.createAccount('acme-sms', 'acme');
  await made.administration.createUser('ada', 'acme-sms');
  return made;
};

const idsOf = async (administration: Administration) =>
  (await administration.listTokens('acme')).map(({ id }) => id);

class Crash extends Error {}

/** A port whose `method` does its work or not, and then ends the process that called it. */
const crashingAt = <Port extends object>(port: Port, method: keyof Port): Port =>
  new Proxy(port, {
    get: (target, member) => {
      if (member === method) return () => Promise.reject(new Crash());
      const value: unknown = Reflect.get(target, member, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

describe('issuing a token', () => {
  it('makes one for the user’s primary account that lets in with its role', async () => {
    const { administration, directory } = await withAda();
    const { token, issued } = await administration.issueToken('ada', 'member');
    expect(token).toMatch(/^mst_[A-Za-z0-9_-]{43}$/);
    expect(issued).toMatchObject({ user: 'ada', account: 'acme', role: 'member' });
    expect(await directory.credentials.findPrincipal(sha256(token))).toEqual({
      user: 'ada',
      account: 'acme',
      role: 'member',
    });
  });

  it('stores nothing that holds the token', async () => {
    const { administration, directory } = await withAda();
    const { token, issued } = await administration.issueToken('ada', 'admin');
    expect(JSON.stringify(await directory.list.listOf('acme'))).not.toContain(token.slice(4));
    expect(issued.hash).toBe(sha256(token));
  });

  it('is refused for a user that does not exist', async () => {
    const { administration } = await withAda();
    await expect(administration.issueToken('bob', 'admin')).rejects.toThrow(
      'There is no user "bob".',
    );
  });

  it('leaves a listed token that opens nothing when it dies between its two writes', async () => {
    const credentials = new InMemoryTokenCredentials();
    const { administration } = await withAda({ credentials: crashingAt(credentials, 'add') });
    await expect(administration.issueToken('ada', 'admin')).rejects.toThrow(Crash);
    const [listed] = await administration.listTokens('acme');
    expect(listed).toMatchObject({ user: 'ada', role: 'admin' });
    expect(await credentials.findPrincipal(listed?.hash ?? '')).toBeUndefined();
  });

  it('makes no token work that is not listed', async () => {
    const credentials = new InMemoryTokenCredentials();
    const { administration } = await withAda({
      credentials,
      list: crashingAt(new InMemoryTokenList(), 'add'),
      randomBytes: (size) => Buffer.alloc(size, 7),
    });
    await expect(administration.issueToken('ada', 'admin')).rejects.toThrow(Crash);
    const drawn = `mst_${Buffer.alloc(32, 7).toString('base64url')}`;
    expect(await credentials.findPrincipal(sha256(drawn))).toBeUndefined();
  });
});

describe('revoking a token', () => {
  it('shuts it out, lists it as revoked, and leaves the others alone', async () => {
    const { administration, directory } = await withAda();
    const { issued, token } = await administration.issueToken('ada', 'admin');
    const other = await administration.issueToken('ada', 'admin');
    const { revokedAt } = await administration.revokeToken('acme', issued.id);
    expect(await directory.credentials.findPrincipal(sha256(token))).toBeUndefined();
    expect(await directory.credentials.findPrincipal(sha256(other.token))).toBeDefined();
    expect(await administration.listTokens('acme')).toEqual([
      { ...issued, revokedAt },
      other.issued,
    ]);
  });

  it('changes nothing the second time', async () => {
    const { administration } = await withAda();
    const { issued } = await administration.issueToken('ada', 'admin');
    const first = await administration.revokeToken('acme', issued.id);
    expect(await administration.revokeToken('acme', issued.id)).toEqual(first);
    expect(await administration.listTokens('acme')).toEqual([first]);
  });

  it('has shut the token out when it dies between its two writes, and can be repeated', async () => {
    const list = new InMemoryTokenList();
    const dying = await withAda({ list: crashingAt(list, 'markRevoked') });
    const { issued, token } = await dying.administration.issueToken('ada', 'admin');
    await expect(dying.administration.revokeToken('acme', issued.id)).rejects.toThrow(Crash);
    expect(await dying.directory.credentials.findPrincipal(sha256(token))).toBeUndefined();

    const { administration } = administrationInMemory({ ...dying.directory, list });
    await administration.revokeToken('acme', issued.id);
    expect((await administration.listTokens('acme'))[0]?.revokedAt).toBeDefined();
  });

  it('does not list as revoked what still lets in', async () => {
    const credentials = new InMemoryTokenCredentials();
    const { administration } = await withAda({ credentials: crashingAt(credentials, 'revoke') });
    const { issued } = await administration.issueToken('ada', 'admin');
    await expect(administration.revokeToken('acme', issued.id)).rejects.toThrow(Crash);
    expect(await credentials.findPrincipal(issued.hash)).toBeDefined();
    expect(await administration.listTokens('acme')).toEqual([issued]);
  });

  it('finds no token of another account', async () => {
    const { administration } = await withAda();
    await administration.createAccount('beta');
    const { issued } = await administration.issueToken('ada', 'admin');
    await expect(administration.revokeToken('beta', issued.id)).rejects.toThrow(
      `Account "beta" has no token "${issued.id}".`,
    );
    expect(await administration.listTokens('acme')).toEqual([issued]);
  });
});

describe('listing tokens', () => {
  it('gives the oldest first, whatever their ids', async () => {
    let draw = 0xff;
    const { administration } = await withAda({
      randomBytes: (size) => Buffer.alloc(size, draw--),
    });
    const first = await administration.issueToken('ada', 'admin');
    const second = await administration.issueToken('ada', 'admin');
    expect(await idsOf(administration)).toEqual([first.issued.id, second.issued.id]);
  });

  it.each(['listTokens', 'revokeToken'] as const)(
    '%s says where the tokens of an account below another are',
    async (useCase) => {
      const { administration } = await withAda();
      await expect(administration[useCase]('acme-sms', 'tok_1')).rejects.toThrow(
        'Account "acme-sms" is below "acme"',
      );
    },
  );
});
