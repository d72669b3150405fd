import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { START_SCRIPT } from '../../../../lambdas/api/reference/get-docs/page.ts';
import { openApiDocument } from '../../../support/lambdas/openapi.ts';

const AT = 'https://api.example.com/prod';

interface Answer {
  readonly url: string;
  readonly ok: boolean;
  readonly text: string;
}

interface Options {
  readonly url: string;
  readonly responseInterceptor: (answer: Answer) => Answer;
  readonly onComplete: () => void;
}

/** Runs the script as the page at `AT` does, with a Swagger UI that notes what it is told. */
const started = ({ hash = '' } = {}) => {
  const shown: unknown[] = [];
  const bundles: Options[] = [];
  const system = {
    specSelectors: { specJson: () => ({ toJS: openApiDocument }) },
    layoutActions: { show: (what: unknown, isShown: boolean) => shown.push([what, isShown]) },
  };
  runInNewContext(START_SCRIPT, {
    URL,
    location: { hash },
    document: { currentScript: { src: `${AT}/docs/start.js?v=1` } },
    SwaggerUIBundle: (options: Options) => {
      bundles.push(options);
      return { getSystem: () => system };
    },
  });
  const [options] = bundles;
  if (options === undefined) throw new Error('Swagger UI is not started.');
  return { options, shown };
};

describe('the page of the API, started', () => {
  it('shows the reference with the real address of the API as its server', () => {
    const { options } = started();
    const text = JSON.stringify({ openapi: '3.1.1', servers: [{ url: '.' }] });
    const answer = options.responseInterceptor({ url: options.url, ok: true, text });
    expect(options.url).toBe(`${AT}/openapi.json`);
    expect(JSON.parse(answer.text)).toEqual({ openapi: '3.1.1', servers: [{ url: AT }] });
  });

  it('leaves the answers to calls of the API as they are, and a reference it did not get', () => {
    const { options } = started();
    const ofACall = { url: `${AT}/acme/integrations`, ok: true, text: '{}' };
    const failed = { url: options.url, ok: false, text: 'Too Many Requests' };
    expect(options.responseInterceptor(ofACall)).toEqual(ofACall);
    expect(options.responseInterceptor(failed)).toEqual(failed);
  });

  it('opens the operations of the first path', () => {
    const { options, shown } = started();
    options.onComplete();
    expect(shown).toEqual([
      [['operations', 'Integrations', 'createIntegration'], true],
      [['operations', 'Integrations', 'listIntegrations'], true],
    ]);
  });

  it('opens no other operation than its address names', () => {
    const { options, shown } = started({ hash: '#/Deliveries/listDeliveries' });
    options.onComplete();
    expect(shown).toEqual([]);
  });
});
