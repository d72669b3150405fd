import { describe, expect, it } from 'vitest';
import { roleGrants } from './role-grants.ts';
import { LINK_ROLE, type Properties, synthesise, synthesiseWithLinks } from './template.ts';

const OF_PLATFORM = ['POST/accounts/*/console-links', 'PUT/users/*/signature'];

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

/** The roles that may do what to items of a kind. */
const grantsOf = (stage: typeof linked, kind: string) =>
  Object.entries(roleGrants(stage)).flatMap(([role, { Directory = [] }]) =>
    Directory.filter((grant) => grant.includes(kind)).map((grant) => [
      role,
      grant.split(' if ')[0],
    ]),
  );

const authorizationOf = (stage: typeof linked) =>
  Object.fromEntries(
    stage
      .all('AWS::ApiGateway::Method')
      .filter(
        ({ path, properties }) =>
          (/console-/.test(path) && properties.HttpMethod === 'POST') ||
          (/signature/.test(path) && properties.HttpMethod === 'PUT'),
      )
      .map(({ path, properties }) => [
        path.replace(/.*(console-\w+|signature).*/, '$1'),
        properties.AuthorizationType,
      ]),
  );

describe('Links to the console, and signatures', () => {
  it('have no routes and permissions in a stage that names no role', () => {
    expect(authorizationOf(plain)).toEqual({});
    expect(grantsOf(plain, 'LINK#')).toEqual([]);
    expect(grantsOf(plain, 'USER#')).not.toContainEqual(['ChangeApi/Role', 'dynamodb:PutItem']);
  });

  it('leave no policy behind when a stage names no role any more', () => {
    expect(policyOf(plain)).toEqual([OF_ALL]);
  });

  it('are created with the signature of a role, and opened without', () => {
    expect(authorizationOf(linked)).toEqual({
      'console-links': 'AWS_IAM',
      'console-sessions': 'NONE',
      signature: 'AWS_IAM',
    });
    expect(linked.variablesOf('ChangeApi')).toMatchObject({ CONSOLE_LINK_ROLES: LINK_ROLE });
  });

  it('are created by that role alone, of whatever account', () => {
    expect(policyOf(linked)).toEqual([
      OF_ALL,
      {
        ...OF_ALL,
        Effect: 'Deny',
        Resource: OF_PLATFORM.map((method) => `execute-api:/*/${method}`),
        Condition: { StringNotEquals: { 'aws:PrincipalArn': [LINK_ROLE] } },
      },
    ]);
  });

  it('are written and removed by the function that opens them alone', () => {
    expect(grantsOf(linked, 'LINK#')).toEqual([
      ['ChangeApi/Role', 'dynamodb:DeleteItem'],
      ['ChangeApi/Role', 'dynamodb:PutItem'],
    ]);
    const writes = grantsOf(linked, 'USER#').filter(([, action]) => !/Get|Query/.test(`${action}`));
    expect(writes).toEqual([
      ['ChangeApi/Role', 'dynamodb:ConditionCheckItem'],
      ['ChangeApi/Role', 'dynamodb:DeleteItem'],
      ['ChangeApi/Role', 'dynamodb:PutItem'],
    ]);
  });
});
