import type { APIGatewayProxyEvent } from 'aws-lambda';
import { Refusal } from '../../../core/refusal.ts';

/**
 * A path parameter, percent-decoded: a REST API of API Gateway hands it on as it is in the path.
 * Undefined when the route has no parameter of that name. Throws `not-found` for a malformed escape:
 * nothing has such a name.
 */
export const pathParameter = (event: APIGatewayProxyEvent, name: string): string | undefined => {
  const text = event.pathParameters?.[name];
  try {
    return text && decodeURIComponent(text);
  } catch {
    throw new Refusal('not-found', 'There is nothing at this address.');
  }
};
