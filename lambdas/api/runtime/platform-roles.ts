import type { APIGatewayProxyEvent } from 'aws-lambda';
import { Refusal } from '../../../core/refusal.ts';

/**
 * Admits the requests that sessions of these roles signed, and throws `forbidden` for others. The
 * gateway has checked the signature, and its resource policy the role, too.
 * @param roleArns of IAM
 */
export const requirePlatform = (
  roleArns: readonly string[],
): ((event: APIGatewayProxyEvent) => void) => {
  const sessions = roleArns.map(sessionsOf);
  return (event) => {
    if (sessions.some((prefix) => callerOf(event)?.startsWith(prefix))) return;
    throw new Refusal('forbidden', 'Only roles of the platform may do this.');
  };
};

/** The ARN of the session that signed a request. */
export const callerOf = ({ requestContext }: APIGatewayProxyEvent): string | null =>
  requestContext.identity.userArn;

/**
 * How the ARN of each session of a role begins: `arn:aws:sts::<account>:assumed-role/<name>/`. It
 * leaves out the role's path, because the roles of an account differ by their names.
 */
const sessionsOf = (roleArn: string): string => {
  const [, partition, , , account, role = ''] = roleArn.split(':');
  return `arn:${partition}:sts::${account}:assumed-role/${role.split('/').at(-1)}/`;
};
