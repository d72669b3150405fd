import { describe, expect, it } from 'vitest';
import { changeResource, presentChange } from '../../../core/changes/change-resource.ts';
import { changesBetween } from '../../../core/changes/changes-between.ts';
import { aChangeAt } from '../../support/changes/changes.ts';
import { aConfig } from '../../support/integration/in-memory-secrets.ts';
import { ADA, anIntegration } from '../../support/integration/integrations.ts';

const AT = '2026-11-20T12:00:00.000Z';
const shown = (overrides: Parameters<typeof aChangeAt>[1]) =>
  presentChange(aChangeAt(AT, overrides));

describe('A change in the API', () => {
  it.each([
    [
      { kind: 'user', user: 'u_1', token: 'tok_1' },
      { user: '/users/u_1', token: 'tok_1' },
    ],
    [{ kind: 'user', user: 'u_1' }, { user: '/users/u_1' }],
    [{ kind: 'operator' }, 'operator'],
    [{ kind: 'service' }, 'service'],
  ] as const)('names who made it: %j', (by, expected) => {
    expect(shown({ by }).by).toEqual(expected);
  });

  it('has a path for itself and for its integration', () => {
    expect(shown({ kind: 'created', position: '7' })).toMatchObject({
      id: '/acme/changes/chg_7-created',
      integration: '/integrations/0123456789Ab',
      baseUrl: 'https://hooks.example.com/in',
      at: AT,
    });
  });

  it('tells how a trouble ended', () => {
    const recovered = {
      kind: 'recovered',
      endedBy: 'success',
      since: AT,
      reason: 'connection-refused',
    } as const;
    expect(shown(recovered)).toMatchObject({ ...recovered, detail: 'the connection was refused' });
  });

  it('has the values of settings before and after, and of secrets none', () => {
    const before = anIntegration();
    const { settings } = before;
    const after = anIntegration({
      revision: before.revision + 1,
      changedBy: { ...ADA, at: AT },
      config: aConfig({ webhookSecret: 'another secret!', clientSecret: 'PRIVATE' }),
      settings: { ...settings, onFatalError: 'continue' },
    });
    const changes = changesBetween({ id: 'chg_7', writtenAt: new Date(AT), before, after });
    const documents = changes.map(presentChange);
    expect(documents.map((document) => changeResource.parse(document))).toEqual([
      expect.objectContaining({
        kind: 'settings-changed',
        members: [
          { name: 'config.clientSecret' },
          { name: 'settings.onFatalError', from: 'pause', to: 'continue' },
        ],
      }),
      expect.objectContaining({ kind: 'secret-rotated' }),
    ]);
    expect(JSON.stringify(documents)).not.toMatch(/sealed|fingerprint|PRIVATE/);
  });
});
