import { describe, expect, it } from 'vitest';
import { pointerTo } from '../../../../core/json-ld/request-document.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { apiOverMemory } from '../../../support/lambdas/api-over-memory.ts';
import { bodyExamplesOf, OPERATIONS } from '../../../support/lambdas/documented-operations.ts';

const VALUES: Readonly<Record<string, string>> = {
  account_name: 'acme',
  id: anIntegration().id,
  event: 'evt_1',
};

const pathOf = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => VALUES[name] ?? 'x');

type Path = readonly string[];

/** The paths of the members that have no members. */
const membersOf = (value: unknown, path: Path = []): readonly Path[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, member]) => membersOf(member, [...path, name]))
    : [path];

const withMember = (value: unknown, [name, ...path]: Path, member: string): unknown =>
  name === undefined
    ? member
    : { ...(value as object), [name]: withMember((value as never)?.[name], path, member) };

const BODIES = OPERATIONS.flatMap(({ route, operation }) =>
  bodyExamplesOf(operation)
    .filter(({ mediaType }) => mediaType === 'application/json')
    .map(({ name, value }) => [route.operationId, name, route, value] as const),
);

describe('a text that was damaged on its way', () => {
  it.each(BODIES)('is refused in each member of %s, %s', async (_id, _name, route, body) => {
    for (const path of [...membersOf(body), ['@note'], ['config', 'headers', 'Caf\ufffd']]) {
      for (const text of ['Caf\ufffd', '\ufffd', 'half \ud800 a pair']) {
        const api = apiOverMemory([anIntegration()]);
        const before = api.state();
        const { status, document } = await api.call(route.method, pathOf(route.path), {
          body: withMember(body, path, text),
        });
        expect(status).toBe(422);
        expect(document.errors).toEqual([
          { pointer: pointerTo(path), detail: expect.stringContaining('damaged') },
        ]);
        expect(api.state()).toEqual(before);
      }
    }
  });

  it('is refused in a query', async () => {
    const { status, document } = await apiOverMemory([anIntegration()]).call(
      'GET',
      '/acme/changes?integration=%EF%BF%BD',
    );
    expect(status).toBe(422);
    expect(document.errors).toEqual([
      { parameter: 'integration', detail: expect.stringContaining('damaged') },
    ]);
  });

  it('is named ten times at most', async () => {
    const body = { ['x'.repeat(20_000)]: Array(5_000).fill('\ufffd') };
    const { status, text, document } = await apiOverMemory().call('POST', '/acme/integrations', {
      body,
    });
    expect(status).toBe(422);
    expect(document.errors).toHaveLength(10);
    expect(text.length).toBeLessThan(250_000);
  });
});
