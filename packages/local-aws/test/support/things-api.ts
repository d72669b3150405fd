import { type HandWrittenStack, lambda } from './assembly.ts';

const echo = `export const handler = async (event) => {
  const deeds = {
    throw: () => { throw new Error('no answer'); },
    malformed: () => ({ statusCode: 200, body: { not: 'a string' } }),
    badHeader: () => ({ statusCode: 200, headers: { 'x-bad': 'two\\nlines' }, body: '' }),
    hang: () => new Promise(() => {}),
    address: () => ({ statusCode: 200, body: process.env.API_URL + ' ' + process.env.SECURE_URL }),
    created: () => ({
      statusCode: 201,
      headers: { Location: '/things/1', 'Content-Type': 'text/plain' },
      body: 'made',
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
  const Resource = methodArn.replace(/\\/.*/, token === 'reader' ? '/test/GET/*' : '/*');
  const Statement = ['Allow', ...(token === 'denied' ? ['Deny'] : [])].map((Effect) => ({
    Effect, Action: 'execute-api:Invoke', Resource,
  }));
  return {
    principalId: token,
    policyDocument: { Version: '2012-10-17', Statement },
    context: { account: 'acme', asked, admin: token !== 'reader' },
  };
};`;

const ref = (logicalId: string) => ({ Ref: logicalId });
const apiUrl = {
  'Fn::Join': ['', ['https://', ref('Api'), '.execute-api.us-east-1.amazonaws.com/', ref('Stage')]],
};
const resource = (parent: unknown, PathPart: string) => ({
  Type: 'AWS::ApiGateway::Resource',
  Properties: { RestApiId: ref('Api'), ParentId: parent, PathPart },
});
const uri = (logicalId: string) => ({
  'Fn::Join': [
    '',
    [
      'arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/',
      { 'Fn::GetAtt': [logicalId, 'Arn'] },
      '/invocations',
    ],
  ],
});
const method = (
  HttpMethod: string,
  resourceId: unknown,
  TimeoutInMillis = 29_000,
  behind = 'Echo',
) => ({
  Type: 'AWS::ApiGateway::Method',
  Properties: {
    RestApiId: ref('Api'),
    ResourceId: resourceId,
    HttpMethod,
    AuthorizationType: 'CUSTOM',
    AuthorizerId: ref('Authorizer'),
    Integration: {
      IntegrationHttpMethod: 'POST',
      TimeoutInMillis,
      Type: 'AWS_PROXY',
      Uri: uri(behind),
    },
  },
});
/** Within a second none of the tokens comes back. */
const throttle = (HttpMethod: string, ResourcePath: string, ThrottlingBurstLimit: number) => ({
  HttpMethod,
  ResourcePath,
  ThrottlingBurstLimit,
  ThrottlingRateLimit: ResourcePath === '/*' ? 1_000 : 0.001,
  LoggingLevel: 'ERROR',
});
/** As the CDK writes it for `defaultCorsPreflightOptions`. */
const preflight = (resourceId: unknown, origin: string) => ({
  Type: 'AWS::ApiGateway::Method',
  Properties: {
    RestApiId: ref('Api'),
    ResourceId: resourceId,
    HttpMethod: 'OPTIONS',
    ApiKeyRequired: false,
    AuthorizationType: 'NONE',
    Integration: {
      IntegrationResponses: [
        {
          ResponseParameters: {
            'method.response.header.Access-Control-Allow-Origin': `'${origin}'`,
            'method.response.header.Access-Control-Allow-Headers': "'Authorization,If-Match'",
          },
          StatusCode: '204',
        },
      ],
      RequestTemplates: { 'application/json': '{ statusCode: 200 }' },
      Type: 'MOCK',
    },
    MethodResponses: [{ StatusCode: '204' }],
  },
});
const problem = (ResponseType: string, status: number, headers: object = {}) => ({
  Type: 'AWS::ApiGateway::GatewayResponse',
  Properties: {
    RestApiId: ref('Api'),
    ResponseType,
    ResponseParameters: {
      'gatewayresponse.header.Content-Type': "'application/problem+json'",
      ...headers,
    },
    ResponseTemplates: {
      'application/json': `{"type":"/test/problems/${ResponseType}","instance":"$context.requestId"}`,
    },
    StatusCode: `${status}`,
  },
});

const challenge = { 'gatewayresponse.header.WWW-Authenticate': "'Bearer'" };

/** A stack with an API of things, their authorizer and gateway responses. */
export const thingsApi: HandWrittenStack = {
  bundles: { echo, single: echo, authorizer },
  resources: {
    Echo: lambda('echo', { Environment: { Variables: { API_URL: apiUrl, SECURE_URL: apiUrl } } }),
    Single: lambda('single', { ReservedConcurrentExecutions: 1 }),
    AuthorizerFunction: lambda('authorizer'),
    Api: { Type: 'AWS::ApiGateway::RestApi' },
    Stage: {
      Type: 'AWS::ApiGateway::Stage',
      Properties: {
        RestApiId: ref('Api'),
        StageName: 'test',
        MethodSettings: [throttle('*', '/*', 1_000), throttle('PUT', '/~1things~1{id}', 3)],
      },
    },
    Authorizer: {
      Type: 'AWS::ApiGateway::Authorizer',
      Properties: {
        RestApiId: ref('Api'),
        Type: 'TOKEN',
        AuthorizerUri: uri('AuthorizerFunction'),
        IdentitySource: 'method.request.header.Authorization',
        AuthorizerResultTtlInSeconds: 60,
      },
    },
    Things: resource({ 'Fn::GetAtt': ['Api', 'RootResourceId'] }, 'things'),
    Thing: resource(ref('Things'), '{id}'),
    Account: resource({ 'Fn::GetAtt': ['Api', 'RootResourceId'] }, '{account}'),
    AccountThings: resource(ref('Account'), 'things'),
    GetThing: method('GET', ref('Thing')),
    PostThings: method('POST', ref('AccountThings')),
    DeleteThing: method('DELETE', ref('Thing'), 300),
    PutThing: method('PUT', ref('Thing')),
    PatchThing: method('PATCH', ref('Thing'), 29_000, 'Single'),
    PostThing: {
      Type: 'AWS::ApiGateway::Method',
      Properties: {
        RestApiId: ref('Api'),
        ResourceId: ref('Thing'),
        HttpMethod: 'POST',
        AuthorizationType: 'AWS_IAM',
        Integration: { IntegrationHttpMethod: 'POST', Type: 'AWS_PROXY', Uri: uri('Echo') },
      },
    },
    PreflightOfThing: preflight(ref('Thing'), 'https://console.example.com'),
    AccessDenied: problem('ACCESS_DENIED', 401, challenge),
    AuthorizerConfigurationError: problem('AUTHORIZER_CONFIGURATION_ERROR', 500),
    IntegrationFailure: problem('INTEGRATION_FAILURE', 502),
    InvalidSignature: problem('INVALID_SIGNATURE', 403),
    IntegrationTimeout: problem('INTEGRATION_TIMEOUT', 504),
    MissingAuthenticationToken: problem('MISSING_AUTHENTICATION_TOKEN', 404),
    RequestTooLarge: problem('REQUEST_TOO_LARGE', 413),
    Throttled: problem('THROTTLED', 429),
    Unauthorized: problem('UNAUTHORIZED', 401, challenge),
  },
};
