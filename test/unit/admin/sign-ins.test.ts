import { describe, expect, it } from 'vitest';
import { connect } from '../../../admin/connection.ts';
import { administrationInMemory } from '../../support/directory/administration.ts';
import { commandLineOver } from '../../support/directory/command-line-in-memory.ts';
import { startUserPoolEndpoint } from '../../support/sign-in/user-pool-endpoint.ts';

const POOL = 'eu-central-1_a1B2c3';
const ISSUER = `https://cognito-idp.eu-central-1.amazonaws.com/${POOL}`;
const OUTPUTS = {
  'integrations-dev-state': {
    DirectoryTableName: 'directory',
    UserPoolId: POOL,
    SignInIssuer: ISSUER,
  },
  'integrations-dev-service': {
    ConsoleUrl: 'https://console.example.com',
    LogRetentionDays: '30',
  },
};
const ADA = 'ada@example.com';
const OF_ADA = { issuer: ISSUER, subject: `sub-of-${ADA}` };
const CREATE_ADA = ['users', 'create', 'ada', '--account', 'acme', '--role', 'admin'];

/** A command line with the Directory in memory and a user pool behind HTTP. */
const createSubject = async (outputs: Parameters<typeof startUserPoolEndpoint>[0] = OUTPUTS) => {
  const pool = await startUserPoolEndpoint(outputs, POOL);
  const { administration, directory } = administrationInMemory();
  await administration.createAccount('acme');
  const run = commandLineOver(async () => ({
    ...connect(pool.target),
    administration: async () => administration,
  }));
  return { run, pool, directory };
};

describe('users create --sign-in', () => {
  it('invites the person by e-mail, who then signs in as the user', async () => {
    const { run, pool, directory } = await createSubject();
    const { exitCode, out } = await run(...CREATE_ADA, '--sign-in', ADA);
    expect(exitCode).toBe(0);
    expect(out).toContain(
      `${ADA} was invited by e-mail.\nTell the user to sign in at https://console.example.com with this address.\n`,
    );
    expect(pool.creations).toEqual([
      {
        UserPoolId: POOL,
        Username: ADA,
        UserAttributes: [
          { Name: 'email', Value: ADA },
          { Name: 'email_verified', Value: 'true' },
        ],
        DesiredDeliveryMediums: ['EMAIL'],
      },
    ]);
    expect(await directory.identities.findUser(OF_ADA)).toMatchObject({
      id: 'ada',
      account: 'acme',
      role: 'admin',
      email: ADA,
    });
  });

  it('takes the person whom the pool knows', async () => {
    const { run, pool, directory } = await createSubject();
    pool.add(ADA, { email: ADA, sub: 'sub-of-old' });
    const { out } = await run(...CREATE_ADA, '--sign-in', ADA, '--json');
    const identity = { issuer: ISSUER, subject: 'sub-of-old' };
    expect(JSON.parse(out)).toMatchObject({
      ...{ id: 'ada', identity, outcome: 'known' },
      console: 'https://console.example.com',
    });
    expect(await directory.identities.findUser(identity)).toMatchObject({ id: 'ada' });
  });

  it('can be repeated, and changes nothing then', async () => {
    const { run, directory } = await createSubject();
    await run(...CREATE_ADA, '--sign-in', ADA);
    const before = await directory.users.find('ada');
    const { exitCode, out } = await run(...CREATE_ADA, '--sign-in', ADA);
    expect(exitCode).toBe(0);
    expect(out).toContain(`The user pool knows ${ADA} already, and sent no invitation.`);
    expect(await directory.users.find('ada')).toEqual(before);
  });

  it.each([
    ['another account', ['--account', 'beta', '--role', 'admin']],
    ['another role', ['--account', 'acme', '--role', 'member']],
  ])('invites nobody for a user who is there with %s', async (_what, options) => {
    const { run, pool } = await createSubject();
    await run('accounts', 'create', 'beta');
    await run(...CREATE_ADA);
    const { exitCode, error } = await run('users', 'create', 'ada', ...options, '--sign-in', ADA);
    expect({ exitCode, error }).toEqual({
      exitCode: 1,
      error: 'error: There is a user "ada" already.\n',
    });
    expect(pool.creations).toEqual([]);
  });

  it.each(['ada', 'ada@', '@example.com', 'ada @example.com', ''])(
    'creates nobody for the address %j',
    async (address) => {
      const { run, pool, directory } = await createSubject();
      const { exitCode, error } = await run(...CREATE_ADA, '--sign-in', address);
      expect(exitCode).toBe(1);
      expect(error).toContain('is not an e-mail address');
      expect(await directory.users.find('ada')).toBeUndefined();
      expect(pool.creations).toEqual([]);
    },
  );

  it('creates nobody without a user pool, and says what to do', async () => {
    const { run, directory } = await createSubject({ 'integrations-dev-state': {} });
    const { exitCode, error } = await run(...CREATE_ADA, '--sign-in', ADA);
    expect(exitCode).toBe(1);
    expect(error).toMatch(
      /^error: Stack integrations-dev-state has no output UserPoolId .*: the stage has no user pool: leave out --sign-in, /,
    );
    expect(await directory.users.find('ada')).toBeUndefined();
  });

  it('tells that the pool is gone from a table that is gone', async () => {
    const { run } = await createSubject({
      ...OUTPUTS,
      'integrations-dev-state': { UserPoolId: 'eu-central-1_gone', SignInIssuer: ISSUER },
    });
    const { exitCode, error } = await run(...CREATE_ADA, '--sign-in', ADA);
    expect(exitCode).toBe(1);
    expect(error).toMatch(/^error: The user pool does not exist in \S+: check --stage\.\n$/);
  });
});

describe('users remove', () => {
  it('removes the person from the Directory and from the user pool', async () => {
    const { run, pool, directory } = await createSubject();
    await run(...CREATE_ADA, '--sign-in', ADA);
    await run('users', 'identify', 'ada', '--issuer', 'https://id.example.com', '--sub', '1');
    await run('tokens', 'issue', '--user', 'ada', '--role', 'admin');
    const { exitCode, out } = await run('users', 'remove', 'ada', '--yes');
    expect(exitCode).toBe(0);
    expect(out).toContain('Removed: user ada of account acme, stage dev');
    expect(pool.people()).toEqual([]);
    expect(await directory.identities.findUser(OF_ADA)).toBeUndefined();
    expect((await run('tokens', 'list', '--account', 'acme')).out).toBe('No tokens.\n');
  });

  it('removes a person whom the user pool does not know any more', async () => {
    const { run, directory } = await createSubject();
    await run(...CREATE_ADA);
    await run('users', 'identify', 'ada', '--issuer', ISSUER, '--sub', 'gone');
    expect((await run('users', 'remove', 'ada', '--yes')).exitCode).toBe(0);
    expect(await directory.users.find('ada')).toBeUndefined();
  });

  it('removes a person where the deployment has no user pool', async () => {
    const { run, directory } = await createSubject({
      ...OUTPUTS,
      'integrations-dev-state': { DirectoryTableName: 'directory' },
    });
    await run(...CREATE_ADA);
    await run('users', 'identify', 'ada', '--issuer', ISSUER, '--sub', 'ada');
    expect((await run('users', 'remove', 'ada', '--yes')).exitCode).toBe(0);
    expect(await directory.users.find('ada')).toBeUndefined();
  });
});
