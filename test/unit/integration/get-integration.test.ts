import { describe, expect, it } from 'vitest';
import type { IntegrationReader } from '../../../core/integration/integration.ts';
import { buildGetIntegration } from '../../../core/integration/read-integration.ts';
import { InMemoryIntegrations } from '../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../support/integration/integrations.ts';
import { refusalOf } from '../../support/refusals.ts';
import { untouchable } from '../../support/untouchable.ts';

describe('reading an integration', () => {
  const integrations = new InMemoryIntegrations(anIntegration());
  const getIntegration = buildGetIntegration({ integrations });

  it('gives the account its own', async () => {
    expect(await getIntegration('acme', '0123456789Ab')).toEqual(anIntegration());
  });

  it('tells another account the same as it tells of an unknown id', async () => {
    const others = await refusalOf(() => getIntegration('globex', '0123456789Ab'));
    const unknown = await refusalOf(() => getIntegration('acme', 'unknown00000'));
    expect(others.kind).toBe('not-found');
    expect({ ...others, message: others.message }).toEqual({
      ...unknown,
      message: unknown.message,
    });
  });

  it.each(['', '0123456789A', '0123456789Abc', '0123456789A/', '../../admin', 'ñ123456789Ab'])(
    'does not look for the id %j, which cannot be one',
    async (id) => {
      const guarded = buildGetIntegration({
        integrations: untouchable<IntegrationReader>('the store of integrations'),
      });
      expect((await refusalOf(() => guarded('acme', id))).kind).toBe('not-found');
    },
  );
});
