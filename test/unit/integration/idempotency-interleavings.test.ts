import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildDeleteIntegration } from '../../../core/integration/change-integration.ts';
import { Refusal } from '../../../core/refusal.ts';
import { aCreator } from '../../support/integration/integration-creator.ts';
import { ADA, aDocument } from '../../support/integration/integrations.ts';

const REQUEST = { account: 'acme', document: aDocument(), idempotencyKey: 'key-1' };
const RUNS = process.env.LONG === '1' ? 20_000 : 1_000;

/** Every call of the port waits until the scheduler lets it go on. */
const scheduled = <Port extends object>(port: Port, scheduler: fc.Scheduler): Port =>
  new Proxy(port, {
    get: (target, name) => {
      const member = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      const method = member.bind(target);
      return (...values: unknown[]) =>
        scheduler.schedule(Promise.resolve(), String(name)).then(() => method(...values));
    },
  });

describe('creations with one Idempotency-Key beside deletions', () => {
  it('never fail, and leave at most one integration, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const through = <Port extends object>(port: Port) => scheduled(port, scheduler);
        const { create, integrations } = aCreator({ through });
        const none = async () => {};
        const deleteIntegration = buildDeleteIntegration({
          now: () => new Date('2026-11-20T12:00:00.000Z'),
          pause: none,
          integrations: through(integrations),
          settingsChange: { beforeDeletion: none, afterDeletion: none },
        });
        const { add, remove } = integrations;
        const removed = new Set<string>();
        integrations.remove = (readAt) => {
          removed.add(readAt.id);
          return remove.call(integrations, readAt);
        };
        integrations.add = async (integration, keyed) => {
          const result = await add.call(integrations, integration, keyed);
          expect(result === 'added' && removed.has(integration.id)).toBe(false);
          return result;
        };
        const createAndDelete = async () => {
          const { integration } = await create(REQUEST);
          await deleteIntegration({ ...integration, by: ADA, precondition: () => {} }).catch(
            (fault) => expect(fault).toBeInstanceOf(Refusal),
          );
        };
        const calls = Promise.allSettled([
          create(REQUEST),
          createAndDelete(),
          create(REQUEST),
          createAndDelete(),
        ]);
        await scheduler.waitFor(calls);
        const faults = (await calls).flatMap((call) => ('reason' in call ? [call.reason] : []));
        expect(faults).toEqual([]);
        expect(integrations.all.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: RUNS },
    );
  });
});
