import { describe, expect, it } from 'vitest';
import { changingHandlers } from '../../../support/lambdas/changing-handler.ts';

describe('DELETE /integrations/{id}', () => {
  it('deletes the integration and answers without a body', async () => {
    const { send, integrations } = changingHandlers();
    const { statusCode, headers, body } = await send('DELETE');
    expect([statusCode, body]).toEqual([204, '']);
    expect(headers).not.toHaveProperty('Content-Type');
    expect(integrations.all).toEqual([]);
  });

  it('has what was kept of it cleared away', async () => {
    const { send, replays } = changingHandlers();
    await send('DELETE');
    expect(replays.requested).toEqual([{ account: 'acme', id: '0123456789Ab' }]);
  });

  it('answers 404 the second time', async () => {
    const { send } = changingHandlers();
    await send('DELETE');
    expect((await send('DELETE')).statusCode).toBe(404);
  });

  it.each(['"0123456789Ab-1"', '*'])('deletes what If-Match names: %s', async (ifMatch) => {
    const { send, integrations } = changingHandlers();
    expect((await send('DELETE', { headers: { 'If-Match': ifMatch } })).statusCode).toBe(204);
    expect(integrations.all).toEqual([]);
  });

  it.each(['"0123456789Ab-2"', 'W/"0123456789Ab-1"'])(
    'leaves what If-Match does not name, with its events: %s',
    async (ifMatch) => {
      const { send, integrations, replays } = changingHandlers();
      expect((await send('DELETE', { headers: { 'If-Match': ifMatch } })).statusCode).toBe(412);
      expect([integrations.all.length, replays.requested.length]).toEqual([1, 0]);
    },
  );

  it('logs who deleted what', async () => {
    const { send, logger } = changingHandlers();
    await send('DELETE');
    expect(logger.named('integration.deleted')).toEqual([
      { account: 'acme', user: 'usr_1', integration: '0123456789Ab' },
    ]);
  });
});
