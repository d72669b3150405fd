import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../core/refusal.ts';
import { fencedBlocks } from '../../../tools/docs/markdown.ts';
import { commandLineInMemory } from '../../support/directory/command-line-in-memory.ts';
import { unsealed } from '../../support/integration/in-memory-secrets.ts';

const SECRET = 'a secret of the old service';

const webhook = (account: string, { config = {}, ...rest }: Record<string, unknown> = {}) => ({
  account,
  active: true,
  provider: 'webhook',
  config: {
    baseUrl: 'https://hooks.example.com/in?key=k',
    webhookSecret: SECRET,
    ...Object(config),
  },
  settings: {},
  ...rest,
});

const signature = { '@type': 'Signature', id: '/users/u_ada/signature', content: 'Ada, Acme Inc.' };

/** A command line with accounts, a user, and a file of these lines; texts are lines as they are. */
const withLines = async (...lines: readonly (string | object)[]) => {
  const files: Record<string, string> = {};
  const write = (...texts: readonly (string | object)[]) => {
    files.lines = texts
      .map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
      .join('\n');
  };
  write(...lines);
  const line = commandLineInMemory(files);
  for (const account of ['acme', 'globex']) await line.run('accounts', 'create', account);
  await line.run('accounts', 'create', 'acme-sms', '--parent', 'acme');
  await line.run('users', 'create', 'u_ada', '--account', 'acme');
  const run = async (...options: string[]) => {
    const words = ['integrations', 'import', 'lines', '--json', ...options];
    const { exitCode, out, error } = await line.run(...words);
    return { exitCode, error, ...JSON.parse(out === '' ? '{}' : out) };
  };
  return { ...line, importLines: run, write };
};

describe('integrations import', () => {
  it('creates what the lines have, with their secrets, as an operator', async () => {
    const { importLines, integrations, directory } = await withLines(
      webhook('acme', { description: 'Orders' }),
      '',
      webhook('globex', { active: false }),
      signature,
    );

    expect(await importLines()).toMatchObject({
      exitCode: 0,
      added: 3,
      lines: [
        { line: 1, result: 'added', account: 'acme', address: 'https://hooks.example.com/…' },
        { line: 3, result: 'added', account: 'globex' },
        { line: 4, result: 'added', user: 'u_ada' },
      ],
    });
    const [first, second] = integrations.all;
    expect(first).toMatchObject({ description: 'Orders', changedBy: { kind: 'operator' } });
    expect(second).toMatchObject({ account: 'globex', active: false });
    expect(first && unsealed(first).config.webhookSecret).toBe(SECRET);
    expect(await directory.signatures.findSignature('u_ada')).toMatchObject({
      content: 'Ada, Acme Inc.',
    });
  });

  it('takes a signature as an API below a path shows it', async () => {
    const { importLines } = await withLines({ ...signature, id: '/prod/users/u_ada/signature' });

    expect(await importLines()).toMatchObject({ lines: [{ result: 'added', user: 'u_ada' }] });
  });

  it('changes nothing that exists when it is repeated', async () => {
    const lines = [webhook('acme'), webhook('acme', { description: 'Orders' }), signature];
    const { importLines, integrations, directory, write } = await withLines(...lines);
    await importLines();
    const before = integrations.all;
    await directory.signatures.write('u_ada', 'Ada, since then');
    write(webhook('acme', { active: false }), ...lines.slice(1), webhook('globex'));

    expect(await importLines()).toMatchObject({ exitCode: 0, added: 1, existed: 3, failed: 0 });
    expect(integrations.all.slice(0, 2)).toEqual(before);
    expect((await directory.signatures.findSignature('u_ada'))?.content).toBe('Ada, since then');
  });

  it.each([[[]], [['--dry-run']]])('adds no empty signature with %j', async (options) => {
    const { importLines } = await withLines({ ...signature, content: '' });

    expect(await importLines(...options)).toMatchObject({ exitCode: 0, added: 0, existed: 1 });
  });

  it('goes on after a crash where it ended', async () => {
    const lines = ['Orders', 'Invoices', 'Stock'].map((description) =>
      webhook('acme', { description }),
    );
    const { importLines, integrations } = await withLines(...lines);
    const add = integrations.add.bind(integrations);
    integrations.add = async (integration, keyed) => {
      if (integration.description === 'Invoices') throw new Error('The process dies.');
      return add(integration, keyed);
    };
    expect(await importLines()).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining('dies'),
    });
    integrations.add = add;

    expect(await importLines()).toMatchObject({ exitCode: 0, existed: 1, added: 2 });
    expect(integrations.all.map(({ description }) => description)).toEqual([
      'Orders',
      'Invoices',
      'Stock',
    ]);
  });

  const { webhookSecret: _, ...withoutSecret } = webhook('acme').config;
  it.each([
    ['{"account":"acme","secret":"x', [], 'not one JSON document'],
    ['{"account":"acme","account":"globex"}', ['/account'], 'twice'],
    ['{"account":"acme\uFFFD"}', ['/account'], 'damaged'],
    [[webhook('acme')], [''], 'an object'],
    [`{"account":"acme","@note":${'['.repeat(64)}${']'.repeat(64)}}`, [''], 'nested'],
    [{ ...webhook('acme'), account: undefined }, ['/account'], 'is required'],
    [webhook('nobody'), [], 'no account "nobody"'],
    [webhook('acme-sms'), [], 'is below "acme"'],
    [webhook('acme', { actve: true }), ['/actve'], 'not a known member'],
    [webhook('acme', { active: 'yes' }), ['/active'], 'must be a boolean'],
    [webhook('acme', { config: { baseUrl: 'http://a.example' } }), ['/config/baseUrl'], 'https'],
    [webhook('acme', { config: { baseUrl: 'https://10.0.0.1/' } }), ['/config/baseUrl'], ''],
    [webhook('acme', { config: { baseUrl: 'https://api.example.com/' } }), ['/config/baseUrl'], ''],
    [{ ...webhook('acme'), config: withoutSecret }, ['/config/webhookSecret'], 'is required'],
    [webhook('acme', { config: { webhookSecret: '[FILTERED]' } }), ['/config/webhookSecret'], ''],
    [webhook('acme', { settings: { filter: { a: 1 } } }), ['/settings/filter/a'], ''],
    [{ ...signature, id: undefined }, ['/id'], 'is required'],
    [{ ...signature, id: '/users/a b/signature' }, ['/id'], '/users/<user>/signature'],
    [{ ...signature, id: '/users/u_eve/signature' }, [], 'user does not exist'],
    [{ ...signature, content: 'x'.repeat(1_601) }, ['/content'], 'at most 1600'],
  ])('names line and reason of %j, and imports the others', async (bad, pointers, reason) => {
    const given = [webhook('acme', { description: 'before' }), bad, webhook('globex')];
    for (const options of [['--dry-run'], []]) {
      const { importLines, integrations } = await withLines(...given);
      const { exitCode, lines } = await importLines(...options);
      const { detail, errors = [], ...failed } = lines[1];

      expect([exitCode, failed]).toEqual([1, { line: 2, result: 'failed' }]);
      expect(errors.map((fault: Fault) => 'pointer' in fault && fault.pointer)).toEqual(pointers);
      expect([detail, ...errors.map((fault: Fault) => fault.detail)].join(' ')).toContain(reason);
      expect(lines).toMatchObject([{ result: 'added' }, {}, { result: 'added' }]);
      expect(integrations.all.length).toBe(options.length > 0 ? 0 : 2);
    }
  });

  it('says what is wrong with a line as a whole', async () => {
    const { run } = await withLines('[]');

    const { out } = await run('integrations', 'import', 'lines');
    expect(out).toMatch(/^line 1: failed: It must be an object\n/);
  });

  it('refuses the second of two lines about the same', async () => {
    const { importLines } = await withLines(webhook('acme'), webhook('acme'), signature, signature);

    expect(await importLines()).toMatchObject({
      lines: [
        { result: 'added' },
        { result: 'failed', detail: 'Line 1 has the same account, address and description.' },
        { result: 'added' },
        { result: 'failed', detail: 'Line 3 has the same user.' },
      ],
    });
  });

  it.each([[[]], [['--dry-run']]])(
    'counts the integrations of an account with %j',
    async (options) => {
      const lines = Array.from({ length: 101 }, (_one, n) =>
        webhook('acme', { description: `${n}` }),
      );
      const { importLines } = await withLines(...lines);

      expect(await importLines(...options)).toMatchObject({ added: 100, failed: 1 });
    },
  );

  it('writes nothing in a dry run', async () => {
    const { importLines, integrations, directory } = await withLines(webhook('acme'), signature);

    const { lines } = await importLines('--dry-run');
    expect(lines).toEqual([
      {
        line: 1,
        result: 'added',
        account: 'acme',
        address: 'https://hooks.example.com/…',
        warnings: [{ pointer: '/config/baseUrl', detail: expect.stringContaining('resolved') }],
      },
      { line: 2, result: 'added', user: 'u_ada' },
    ]);
    expect(integrations.all).toEqual([]);
    expect(await directory.signatures.has('u_ada')).toBe(false);
  });

  it('prints no secret, no signature, and no path of an address', async () => {
    const secrets = { clientSecret: 'the client', headers: { 'X-Key': 'the key of a gateway' } };
    const { run } = await withLines(
      webhook('acme', { config: secrets }),
      webhook('nobody', { config: secrets }),
      webhook('globex', { config: { ...secrets, webhookSecret: `${SECRET}\n` } }),
      `{"webhookSecret":"${SECRET}`,
      signature,
    );
    for (const options of [['--dry-run'], ['--dry-run', '--json'], ['--json'], []]) {
      const { out, error } = await run('integrations', 'import', 'lines', ...options);

      expect(out + error).not.toMatch(/secret of|the client|the key|key=k|Acme Inc/);
    }
  });
});

describe('The page about moving customers', () => {
  const page = readFileSync('docs/operators/move-customers.md', 'utf8');

  it('shows what the dry run of its file prints', async () => {
    const [file = ''] = fencedBlocks(page, 'jsonl');
    const { run } = await withLines(...file.trim().split('\n'));
    const [command = ''] = fencedBlocks(page, 'sh');
    const words = command.replace('npm run admin -- ', '').replace('customers.jsonl', 'lines');

    const { out } = await run(...words.trim().split(' '));
    expect(out.replace(/^.* warning: .*\n/gm, '')).toBe(fencedBlocks(page, 'text')[0]);
  });
});
