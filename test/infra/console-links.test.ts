import { describe, expect, it } from 'vitest';
import { roleGrants } from './role-grants.ts';
import { LINK_ROLE, type Properties, synthesise, synthesiseWithLinks } from './template.ts';

const LINKS = 'execute-api:/*/POST/accounts/*/console-links';

const plain = synthesise('prod');
const linked = synthesiseWithLinks('prod');

const statementsOf = ({ Policy }: Properties): Properties[] =>
  (Policy as Properties).Statement as Properties[];

const policyOf = (stage: typeof linked) =>
  stage.all('AWS::ApiGateway::RestApi').flatMap(({ properties }) => statementsOf(properties));

const OF_ALL = {
  Effect: 'Allow',
  Action: 'execute-api:Invoke',
  Principal: { AWS: '*' },
  Resource: 'execute-api:/*',
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
  it('have no routes and permissions in a stage that names no role', () => {
    expect(authorizationOf(plain)).toEqual({});
    expect(JSON.stringify(roleGrants(plain))).not.toContain('LINK#');
  });

  it('leave no policy behind when a stage names no role any more', () => {
    expect(policyOf(plain)).toEqual([OF_ALL]);
  });

  it('are created with the signature of a role, and opened without', () => {
    expect(authorizationOf(linked)).toEqual({
      'console-links': 'AWS_IAM',
      'console-sessions': 'NONE',
    });
    expect(linked.variablesOf('ChangeApi')).toMatchObject({ CONSOLE_LINK_ROLES: LINK_ROLE });
  });

  it('are created by that role alone, of whatever account', () => {
    expect(policyOf(linked)).toEqual([
      OF_ALL,
      {
        ...OF_ALL,
        Effect: 'Deny',
        Resource: LINKS,
        Condition: { StringNotEquals: { 'aws:PrincipalArn': [LINK_ROLE] } },
      },
    ]);
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
