import * as z from 'zod';
import { createDocumentClient } from '../../adapters/aws-sdk/aws-clients.ts';
import { DynamoDbIdentifiedUsers } from '../../adapters/dynamodb/directory/identities.ts';
import { DynamoDbAccessTokens } from '../../adapters/dynamodb/directory/tokens.ts';
import { JwksSignInTokens } from '../../adapters/jwt/jwks-sign-in-tokens.ts';
import { buildAuthenticate } from '../../core/directory/authenticate.ts';
import { text } from '../runtime/environment.ts';
import { createLogger, faultField } from '../runtime/reporting.ts';

export { createHandler } from './handler.ts';

const SIGN_IN_VARIABLES = ['SIGN_IN_ISSUER', 'SIGN_IN_CLIENT_ID', 'SIGN_IN_JWKS_URI'] as const;

/** All variables of the sign-in are set, or none. Without them the function accepts no sign-in. */
export const environmentSchema = z
  .object({
    DIRECTORY_TABLE: text,
    SIGN_IN_ISSUER: text.optional(),
    SIGN_IN_CLIENT_ID: text.optional(),
    SIGN_IN_JWKS_URI: text.optional(),
  })
  .superRefine((variables, context) => {
    const missing = SIGN_IN_VARIABLES.filter((name) => variables[name] === undefined);
    if (missing.length === SIGN_IN_VARIABLES.length) return;
    for (const name of missing) {
      context.addIssue({ code: 'custom', path: [name], message: 'the sign-in needs it' });
    }
  });

type Variables = z.output<typeof environmentSchema>;

export const compose = (environment: Variables) => {
  const client = createDocumentClient();
  const logger = createLogger();
  const signInTokens = signInTokensOf(environment);
  return {
    authenticate: buildAuthenticate({
      tokens: new DynamoDbAccessTokens(client, environment.DIRECTORY_TABLE),
      now: () => new Date(),
      onUnnotedUse: (fault) => logger.warn('access_token.use_not_noted', faultField(fault)),
      ...(signInTokens && {
        signIn: {
          tokens: signInTokens,
          users: new DynamoDbIdentifiedUsers(client, environment.DIRECTORY_TABLE),
        },
      }),
    }),
  };
};

const signInTokensOf = ({
  SIGN_IN_ISSUER: issuer,
  SIGN_IN_CLIENT_ID: clientId,
  SIGN_IN_JWKS_URI: jwksUri,
}: Variables): JwksSignInTokens | undefined =>
  issuer !== undefined && clientId !== undefined && jwksUri !== undefined
    ? new JwksSignInTokens({ issuer, clientId, jwksUri })
    : undefined;
