import { type HandWrittenStack, lambda } from './local-assembly.ts';

const echo = `export const handler = async (event) => {
  const deeds = {
    throw: () => { throw new Error('no answer'); },
    malformed: () => ({ statusCode: 200, body: { not: 'a string' } }),
    badHeader: () => ({ statusCode: 200, headers: { 'x-bad': 'two\\nlines' }, body: '' }),
    hang: () => new Promise(() => {}),
    created: () => ({
      statusCode: 201,
      headers: { Location: '/things/1', 'Content-Type': 'text/plain' },
      multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
      body: Buffer.from('made').toString('base64'),
      isBase64Encoded: true,
    }),
  };
  const deed = deeds[event.queryStringParameters?.deed];
  return deed ? deed() : { statusCode: 200, body: JSON.stringify(event) };
};`;

const authorizer = `let asked = 0;
export const handler = async ({ authorizationToken, methodArn }) => {
  asked += 1;
  const token = authorizationToken.replace('Bearer ', '');
  if (token === 'unknown') throw new Error('Unauthorized');
  if (token === 'broken') throw new Error('the table is gone');
  const Statement = [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: methodArn.replace(/\\/.*/, '/*') }];
  if (token === 'reader') Statement.push({ Effect: 'Deny', Action: '*', Resource: '*/POST/*' });
  return {
    principalId: token,
    policyDocument: { Version: '2012-10-17', Statement },
    context: { account: 'acme', asked, admin: token !== 'reader' },
  };
};`;

const ref = (logicalId: string) => ({ Ref: logicalId });
const resource = (parent: unknown, PathPart: string) => ({
  Type: 'AWS::ApiGateway::Resource',
  Properties: { RestApiId: ref('Api'), ParentId: parent, PathPart },
});
const uri = (logicalId: string) => ({
  'Fn::Sub': `arn:\${AWS::Partition}:apigateway:\${AWS::Region}:lambda:path/2015-03-31/functions/\${${logicalId}.Arn}/invocations`,
});
const method = (HttpMethod: string, resourceId: unknown, properties: object = {}) => ({
  Type: 'AWS::ApiGateway::Method',
  Properties: {
    RestApiId: ref('Api'),
    ResourceId: resourceId,
    HttpMethod,
    AuthorizationType: 'CUSTOM',
    AuthorizerId: ref('Authorizer'),
    Integration: { Type: 'AWS_PROXY', Uri: uri('Echo') },
    ...properties,
  },
});
const problem = (ResponseType: string, properties: object = {}) => ({
  Type: 'AWS::ApiGateway::GatewayResponse',
  Properties: {
    RestApiId: ref('Api'),
    ResponseType,
    ResponseParameters: { 'gatewayresponse.header.Content-Type': "'application/problem+json'" },
    ResponseTemplates: {
      'application/json':
        '{"detail":$context.error.messageString,"instance":"$context.requestId","path":"$context.path"}',
    },
    ...properties,
  },
});

/** A stack with an API of things, their authorizer and gateway responses. */
export const thingsApi: HandWrittenStack = {
  bundles: { echo, authorizer },
  resources: {
    Echo: lambda('echo'),
    AuthorizerFunction: lambda('authorizer'),
    Api: { Type: 'AWS::ApiGateway::RestApi' },
    Stage: {
      Type: 'AWS::ApiGateway::Stage',
      Properties: { RestApiId: ref('Api'), StageName: 'test' },
    },
    Authorizer: {
      Type: 'AWS::ApiGateway::Authorizer',
      Properties: {
        RestApiId: ref('Api'),
        Type: 'TOKEN',
        AuthorizerUri: uri('AuthorizerFunction'),
        IdentitySource: 'method.request.header.Authorization',
        IdentityValidationExpression: 'Bearer .+',
        AuthorizerResultTtlInSeconds: 60,
      },
    },
    Things: resource({ 'Fn::GetAtt': ['Api', 'RootResourceId'] }, 'things'),
    Thing: resource(ref('Things'), '{id}'),
    Account: resource({ 'Fn::GetAtt': ['Api', 'RootResourceId'] }, '{account}'),
    AccountThings: resource(ref('Account'), 'things'),
    Context: resource({ 'Fn::GetAtt': ['Api', 'RootResourceId'] }, 'context'),
    GetThing: method('GET', ref('Thing')),
    Impatient: resource({ 'Fn::GetAtt': ['Api', 'RootResourceId'] }, 'impatient'),
    GetImpatient: method('GET', ref('Impatient'), {
      Integration: { Type: 'AWS_PROXY', Uri: uri('Echo'), TimeoutInMillis: 300 },
    }),
    PostThings: method('POST', ref('AccountThings')),
    GetContext: method('GET', ref('Context'), {
      AuthorizationType: 'NONE',
      AuthorizerId: undefined,
      Integration: {
        Type: 'MOCK',
        RequestTemplates: { 'application/json': '{"statusCode": 200}' },
        IntegrationResponses: [
          {
            StatusCode: '200',
            ResponseParameters: { 'method.response.header.Cache-Control': "'max-age=60'" },
            ResponseTemplates: { 'application/ld+json': '{"@context":{}}' },
          },
        ],
      },
    }),
    Unauthorized: problem('UNAUTHORIZED', {
      ResponseParameters: { 'gatewayresponse.header.WWW-Authenticate': "'Bearer'" },
    }),
    Missing: problem('MISSING_AUTHENTICATION_TOKEN', { StatusCode: '404' }),
    TooLarge: problem('REQUEST_TOO_LARGE'),
    Default5xx: problem('DEFAULT_5XX'),
  },
};
