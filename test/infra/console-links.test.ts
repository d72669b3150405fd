import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../lambdas/api/openapi/routes.ts';
import { roleGrants } from './role-grants.ts';
import { LINK_ROLE, type Properties, synthesise, synthesiseWithLinks } from './template.ts';

const LINKS = 'execute-api:/*/POST/accounts/*/console-links';

const plain = synthesise('prod');
const linked = synthesiseWithLinks('prod');

const statementsOf = ({ Policy }: Properties): Properties[] =>
  (Policy as Properties).Statement as Properties[];

const policyOf = (stage: typeof linked) => {
  const [api] = stage.all('AWS::ApiGateway::RestApi');
  return api?.properties.Policy === undefined ? undefined : statementsOf(api.properties);
};

const authorizationOf = (stage: typeof linked) =>
  Object.fromEntries(
    stage
      .all('AWS::ApiGateway::Method')
      .filter(({ path, properties }) => /console-/.test(path) && properties.HttpMethod === 'POST')
      .map(({ path, properties }) => [
        path.replace(/.*(console-\w+).*/, '$1'),
        properties.AuthorizationType,
      ]),
  );

describe('Links to the console', () => {
  it('have no routes, policy and permission in a stage that names no role', () => {
    expect(authorizationOf(plain)).toEqual({});
    expect(policyOf(plain)).toBeUndefined();
    expect(JSON.stringify(roleGrants(plain))).not.toContain('LINK#');
  });

  it('are created with the signature of a role, and opened without', () => {
    expect(authorizationOf(linked)).toEqual({
      'console-links': 'AWS_IAM',
      'console-sessions': 'NONE',
    });
    expect(linked.variablesOf('ChangeApi')).toMatchObject({ CONSOLE_LINK_ROLES: LINK_ROLE });
  });

  it('are created by that role alone, of whatever account', () => {
    const ofLinks = policyOf(linked)?.filter(({ Resource }) => Resource === LINKS);

    expect(ofLinks).toEqual([
      {
        Effect: 'Allow',
        Action: 'execute-api:Invoke',
        Principal: { AWS: LINK_ROLE },
        Resource: LINKS,
      },
      {
        Effect: 'Deny',
        Action: 'execute-api:Invoke',
        Principal: { AWS: '*' },
        Resource: LINKS,
        Condition: { StringNotEquals: { 'aws:PrincipalArn': [LINK_ROLE] } },
      },
    ]);
  });

  it('leave to everyone what has no authorizer, and to the authorizer what has', () => {
    const [open, ...others] = policyOf(linked) ?? [];
    const resources = open?.Resource as string[];
    const patterns = resources.map((each) => RegExp(`^${each.replaceAll('*', '.*')}$`));
    const isOpen = (method: string, path: string) =>
      patterns.some((pattern) => pattern.test(`execute-api:/prod/${method}${path}`));

    expect(others).toHaveLength(2);
    expect(open).toMatchObject({ Effect: 'Allow', Principal: { AWS: '*' } });
    for (const { access, method, path } of ROUTES) {
      expect(isOpen(method, path), path).toBe(access === 'public' || access === 'code');
      expect(isOpen('OPTIONS', path), path).toBe(true);
    }
    expect(isOpen('POST', '/_canary')).toBe(true);
    expect(isOpen('HEAD', '/guides/recover')).toBe(true);
  });

  it('are written and removed by the function that opens them alone', () => {
    const grants = Object.entries(roleGrants(linked)).flatMap(([role, { Directory = [] }]) =>
      Directory.filter((grant) => grant.includes('LINK#')).map((grant) => [
        role,
        grant.split(' if ')[0],
      ]),
    );

    expect(grants).toEqual([
      ['ChangeApi/Role', 'dynamodb:DeleteItem'],
      ['ChangeApi/Role', 'dynamodb:PutItem'],
    ]);
  });
});
