import { describe, expect, it } from 'vitest';
import { CONTEXT_DOCUMENTS } from '../../../../lambdas/api/reference/context-documents.ts';
import { getLlmsTxt } from '../../../../lambdas/api/reference/documents.ts';
import { renderGuides } from '../../../../lib/constructs/guides.ts';
import { anApiEvent, call } from '../../../support/lambdas/api-gateway-events.ts';
import { RecordingLogger } from '../../../support/lambdas/recording-logger.ts';
import { routeOf } from '../../../support/lambdas/route-requests.ts';

const read = (basePath: string) =>
  call(
    getLlmsTxt.createHandler({ guides: renderGuides, logger: new RecordingLogger() }),
    anApiEvent({
      path: getLlmsTxt.route.path,
      basePath,
      resource: getLlmsTxt.route.path,
      authorizer: null,
    }),
  );

const linksIn = (text: string) =>
  [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)(?:: \S|$)/gm)].map(([, path = '']) => path);

describe('GET /llms.txt', () => {
  it('has a heading, a quotation, then lists of links, as llms.txt requires', async () => {
    const { statusCode, headers, body } = await read('');
    expect([statusCode, headers?.['Content-Type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(body).toMatch(/^# \S.*\n\n> \S/);
    const [, ...lists] = body.split(/^## .*$/m);
    expect(lists).toHaveLength(3);
    for (const list of lists) {
      expect(list.trim().split('\n')).toHaveLength(linksIn(list).length);
    }
  });

  it('leads to routes that there are, wherever the API is served', async () => {
    const paths = linksIn((await read('')).body);
    for (const path of paths) {
      const { pathParameters } = routeOf('GET', path);
      const { document } = pathParameters;
      if (document !== undefined) expect(CONTEXT_DOCUMENTS.has(document)).toBe(true);
    }
    expect(linksIn((await read('/prod')).body)).toEqual(paths.map((path) => `/prod${path}`));
  });
});
