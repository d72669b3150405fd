import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../lambdas/api/openapi/routes.ts';
import type { Customer } from '../support/journey/customer-of.ts';
import { newCustomer } from '../support/journey/customer-webhook.ts';
import { call } from '../support/journey/platform.ts';
import type { ApiReply } from '../support/journey/platform-of.ts';
import { expectProblem } from '../support/journey/problems.ts';
import { filledPath, OF_NOTHING, validBodyOf } from '../support/lambdas/route-requests.ts';

const forPages = ({ headers }: ApiReply): string[] =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

const fromAPage = { Origin: 'https://elsewhere.example' };

describe('A page of another origin', () => {
  let own: Customer;
  beforeAll(async () => {
    own = await newCustomer();
  });

  it.each(ROUTES)('is let read no answer of $method $path', async (route) => {
    const known = {
      account_name: own.account,
      account: own.account,
      user: own.user,
      document: 'Integration.jsonld',
      asset: 'swagger-ui.css',
      kind: 'validation',
      schema: 'message.received.json',
      reason: 'dns-failure',
    };
    const paths = [{ ...OF_NOTHING, ...known }, OF_NOTHING].map((of) => filledPath(route.path, of));
    const tokens = [undefined, own.tokens.member, own.tokens.admin];

    for (const path of paths) {
      for (const token of tokens) {
        const request = { ...validBodyOf(route), token, headers: fromAPage };
        expect(forPages(await call(route.method, path, request))).toEqual([]);
      }
    }
  });

  it.each(ROUTES)('is not let ask for $method $path', async ({ method, path }) => {
    const preflight = await call('OPTIONS', filledPath(path, OF_NOTHING), {
      token: undefined,
      headers: {
        ...fromAPage,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'authorization, content-type',
      },
    });

    expectProblem(preflight, 404, 'not-found');
    expect(forPages(preflight)).toEqual([]);
  });
});
