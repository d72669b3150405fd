import { describe, expect, it } from 'vitest';
import { fillDirectory } from '../../../support/directory/filled-directory.ts';
import { type ApiCall, apiOverMemory } from '../../../support/lambdas/api-over-memory.ts';

const SESSION = 'arn:aws:sts::444455556666:assumed-role/platform/backend';

const anApi = async () => {
  const api = apiOverMemory();
  await fillDirectory(api.parts.directory);
  const path = (user = 'usr_1') => `/users/${user}/signature`;
  return {
    ...api,
    read: async () => (await api.call('GET', path())).document,
    set: (body: unknown, { user, ...call }: ApiCall = {}) =>
      api.call('PUT', path(user), { body, userArn: SESSION, ...call }),
  };
};

describe('The platform', () => {
  it('sets a signature, which the API then reads, and which no log shows', async () => {
    const { set, read, observation } = await anApi();
    const content = 'Ada 🖋\n"Acme" Inc.';

    const { status, document } = await set({ '@type': 'Signature', content });

    expect([status, document]).toEqual([200, { ...(await read()), content }]);
    expect(document.id).toBe('/users/usr_1/signature');
    expect(observation.logger.lines).toEqual([
      {
        level: 'info',
        name: 'signature.set',
        fields: { user: 'usr_1', by: SESSION, isRemoved: false },
      },
    ]);
  });

  it('removes a signature with an empty text', async () => {
    const { set, read, parts, observation } = await anApi();
    const { status } = await set({ content: '' });
    expect([status, (await read()).content]).toEqual([200, '']);
    expect(await parts.directory.signatures.has('usr_1')).toBe(false);
    expect(observation.logger.lines).toMatchObject([{ fields: { isRemoved: true } }]);
  });

  it('sends back a signature as it was read', async () => {
    const { set, read } = await anApi();
    const before = await read();
    expect((await set(before)).document).toEqual(before);
  });

  it('sets a signature of as many characters as a page of text messages has', async () => {
    const { set } = await anApi();
    expect((await set({ content: '🖋'.repeat(1_600) })).status).toBe(200);
  });

  it.each([
    [{}, '/content'],
    [{ content: null }, '/content'],
    [{ content: ['Ada'] }, '/content'],
    [{ content: 'x'.repeat(1_601) }, '/content'],
    [{ content: 'A\uFFFD' }, '/content'],
    [{ content: 'Ada', text: 'Ada' }, '/text'],
  ])('is shown the fault of %j', async (body, pointer) => {
    const { set, read } = await anApi();
    const { status, document } = await set(body);
    expect([status, document.errors]).toMatchObject([422, [{ pointer }]]);
    expect(await read()).toMatchObject({ content: 'Best regards' });
  });

  it.each(['u_nobody', 'a%20b', 'usr_1%23SIGNATURE'])('sets none of the user %s', async (user) => {
    const { set, observation } = await anApi();
    expect((await set({ content: 'Eve' }, { user })).status).toBe(404);
    expect(observation.logger.lines).toEqual([]);
  });

  it('is its roles alone', async () => {
    const { set, read } = await anApi();
    const userArn = 'arn:aws:sts::444455556666:assumed-role/other/backend';
    expect((await set({ content: 'Eve' }, { userArn })).status).toBe(403);
    expect(await read()).toMatchObject({ content: 'Best regards' });
  });
});
