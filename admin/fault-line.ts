import { Refusal } from '../core/refusal.ts';
import type { Target } from './target.ts';

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'TimeoutError',
]);

/** The fault as one line for an operator. `target` is undefined when none was chosen yet. */
export const faultLine = (fault: unknown, target: Target | undefined): string => {
  if (!(fault instanceof Error)) return oneLine(String(fault));
  const code = 'code' in fault ? String(fault.code) : fault.name;
  if (target !== undefined && (UNREACHABLE.has(code) || UNREACHABLE.has(fault.name))) {
    const hint = target.place.startsWith('the embedded run')
      ? 'start the service with "npm start", or name a deployed stage with --stage.'
      : 'check AWS_ENDPOINT_URL, AWS_REGION and the network.';
    return `Nothing answers in ${target.place} (${code}): ${hint}`;
  }
  return lineByName(fault, target);
};

const lineByName = (fault: Error, target: Target | undefined): string => {
  const place = target?.place ?? 'AWS';
  if (fault.message === 'Region is missing') {
    return `No region is set to look for stage ${target?.stage} in ${place}: set AWS_REGION.`;
  }
  switch (fault.name) {
    case 'CredentialsProviderError':
    case 'TokenProviderError':
      return `No usable credentials for ${place} (${oneLine(fault.message)}): set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`;
    case 'ResourceNotFoundException':
      // Cognito and DynamoDB call it the same.
      return `${/^User pool/i.test(fault.message) ? 'The user pool' : 'A table'} does not exist in ${place}: check --stage.`;
    case 'QueueDoesNotExist':
      return `A queue does not exist in ${place}: check --stage.`;
    case 'AdministrationError':
      return oneLine(fault.message);
    case 'Refusal':
      return oneLine([fault.message, ...faultsIn(fault)].join(' '));
    default:
      return oneLine(`${fault.name}: ${fault.message}`);
  }
};

/** What is wrong where, of a refusal. */
const faultsIn = (fault: Error): readonly string[] =>
  fault instanceof Refusal
    ? fault.faults.map(({ detail, ...where }) => `${Object.values(where).join()}: ${detail}.`)
    : [];

const oneLine = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, ' ').trim();
