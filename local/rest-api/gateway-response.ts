import type { HttpAnswer } from '../http-server.ts';
import type { ApiDefinition } from './api-definition.ts';

/**
 * The answers that API Gateway gives without a function. The embedded run needs these types only;
 * API Gateway has more. Throws when the template lacks one of the types.
 */
export const createGatewayResponses = ({
  gatewayResponses,
}: Pick<ApiDefinition, 'gatewayResponses'>) => {
  const rendererOf = (responseType: string) => {
    const response = gatewayResponses.find(({ type }) => type === responseType);
    if (!response) throw new Error(`The REST API has no gateway response ${responseType}`);
    const { headers, status, template } = response;
    return (requestId: string): HttpAnswer => ({
      status,
      headers: [...headers, ['x-amzn-requestid', requestId]],
      body: template.replaceAll('$context.requestId', requestId),
    });
  };
  return {
    ACCESS_DENIED: rendererOf('ACCESS_DENIED'),
    AUTHORIZER_CONFIGURATION_ERROR: rendererOf('AUTHORIZER_CONFIGURATION_ERROR'),
    INTEGRATION_FAILURE: rendererOf('INTEGRATION_FAILURE'),
    INTEGRATION_TIMEOUT: rendererOf('INTEGRATION_TIMEOUT'),
    MISSING_AUTHENTICATION_TOKEN: rendererOf('MISSING_AUTHENTICATION_TOKEN'),
    REQUEST_TOO_LARGE: rendererOf('REQUEST_TOO_LARGE'),
    UNAUTHORIZED: rendererOf('UNAUTHORIZED'),
  };
};

export type GatewayResponseType = keyof ReturnType<typeof createGatewayResponses>;
