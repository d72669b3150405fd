import { describe, expect, it } from 'vitest';
import { buildSettingsChange } from '../../../core/delivery/trouble/settings-change.ts';
import { buildDeleteIntegration } from '../../../core/integration/change-integration.ts';
import { releasingKeys } from '../../../core/integration/idempotency.ts';
import { Refusal } from '../../../core/refusal.ts';
import { InMemoryReplayRequests } from '../../support/delivery/pending/in-memory-replay-requests.ts';
import { InMemoryRetrySchedules } from '../../support/delivery/trouble/in-memory-retry-schedules.ts';
import { dyingAfter } from '../../support/dying-process.ts';
import { unsealed } from '../../support/integration/in-memory-secrets.ts';
import { aCreator } from '../../support/integration/integration-creator.ts';
import { aDocument } from '../../support/integration/integrations.ts';
import { refusalOf } from '../../support/refusals.ts';

const REQUEST = { account: 'acme', document: aDocument(), idempotencyKey: 'key-1' };
const FIRST = { account: 'acme', id: 'id0000000001' };

const anything = () => {};
const asItIs = <Port extends object>(port: Port): Port => port;

/** An account with an integration that was created with a key. */
const anAccountWithKeyed = async () => {
  const creator = aCreator();
  const { create, integrations, idempotency } = creator;
  const schedules = new InMemoryRetrySchedules();
  const replays = new InMemoryReplayRequests();
  await create(REQUEST);

  const remove = ({ through = asItIs, precondition = anything } = {}) => {
    const settingsChange = buildSettingsChange({
      schedules: through(schedules),
      replays: through(replays),
    });
    const deleteIntegration = buildDeleteIntegration({
      pause: async () => {},
      integrations: through(integrations),
      settingsChange: releasingKeys({ settingsChange, idempotency: through(idempotency) }),
    });
    return deleteIntegration({ ...FIRST, precondition });
  };
  return { ...creator, remove };
};

const idsOf = ({ all }: { all: readonly { id: string }[] }) => all.map(({ id }) => id);

describe('the Idempotency-Key of a deleted integration', () => {
  it('makes an integration of another id', async () => {
    const { create, remove, integrations } = await anAccountWithKeyed();
    await remove();
    const { integration, newSecret } = await create(REQUEST);
    expect(integration.id).not.toBe(FIRST.id);
    expect(newSecret).toBe(unsealed(integration).config.webhookSecret);
    expect(integrations.all).toEqual([integration]);
  });

  it('may be used with another body', async () => {
    const { create, remove } = await anAccountWithKeyed();
    await remove();
    const document = aDocument({ active: false });
    expect((await create({ ...REQUEST, document })).integration.active).toBe(false);
  });

  it('makes one integration when it is repeated again', async () => {
    const { create, remove, integrations } = await anAccountWithKeyed();
    await remove();
    await Promise.all([create(REQUEST), create(REQUEST)]);
    await create(REQUEST);
    expect(integrations.all).toHaveLength(1);
  });

  it('is left alone when it stands for a later integration by now', async () => {
    const { create, remove, passHours, integrations } = await anAccountWithKeyed();
    passHours(24);
    const later = await create(REQUEST);
    await remove();
    expect(await create(REQUEST)).toEqual(later);
    expect(integrations.all).toEqual([later.integration]);
  });

  it('stands for the integration still when the deletion was refused at last', async () => {
    const { create, remove, integrations } = await anAccountWithKeyed();
    const [stored] = integrations.all;
    Object.assign(integrations, { remove: async () => false });
    await refusalOf(() => remove());
    expect((await create(REQUEST)).integration).toEqual(stored);
  });
});

describe('a deletion that dies', () => {
  /** Reads, makes the schedule, releases the key, deletes, asks for the clearing, forgets the key. */
  const CALLS = [0, 1, 2, 3, 4, 5, 6, 7];

  it.each(CALLS)('after %i calls, never gives its id to a repeated creation', async (calls) => {
    const { create, remove, integrations } = await anAccountWithKeyed();
    const [stored] = integrations.all;
    await remove({ through: dyingAfter(calls) }).catch(() => {});
    const isDeleted = integrations.all.length === 0;
    const { integration } = await create(REQUEST);
    if (isDeleted) expect(integration.id).not.toBe(FIRST.id);
    else expect(integration).toEqual(stored);
    expect(integrations.all).toEqual([integration]);
  });

  it.each(CALLS)('after %i calls, can be repeated', async (calls) => {
    const { create, remove, integrations } = await anAccountWithKeyed();
    await remove({ through: dyingAfter(calls) }).catch(() => {});
    await remove().catch((fault) => expect(fault).toBeInstanceOf(Refusal));
    expect(integrations.all).toEqual([]);
    await create(REQUEST);
    expect(idsOf(integrations)).not.toContain(FIRST.id);
  });

  it('takes the calls above, and is over then', async () => {
    const { remove, integrations, idempotency } = await anAccountWithKeyed();
    await remove({ through: dyingAfter(7) });
    expect(integrations.all).toEqual([]);
    expect(idempotency.all).toEqual([]);
    const dying = await anAccountWithKeyed();
    await expect(dying.remove({ through: dyingAfter(6) })).rejects.toThrow('died');
  });
});
