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

/** What went wrong, for an operator, on one line. */
export const faultLine = (fault: unknown, target: Target | undefined): string => {
  if (!(fault instanceof Error)) return oneLine(String(fault));
  const code = 'code' in fault ? String(fault.code) : fault.name;
  if (target !== undefined && (UNREACHABLE.has(code) || UNREACHABLE.has(fault.name))) {
    const hint = target.place.startsWith('the embedded run')
      ? 'is "npm start" still running?'
      : 'look at AWS_ENDPOINT_URL, AWS_REGION and the network.';
    return `Nothing answers in ${target.place} (${code}): ${hint}`;
  }
  return lineByName(fault, target);
};

const lineByName = (fault: Error, target: Target | undefined): string => {
  const place = target?.place ?? 'AWS';
  if (fault.message === 'Region is missing') {
    return `Stage ${target?.stage} is looked for in ${place}, and no region is set: set AWS_REGION.`;
  }
  switch (fault.name) {
    case 'CredentialsProviderError':
    case 'TokenProviderError':
      return `No usable credentials for ${place} (${oneLine(fault.message)}): set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`;
    case 'ResourceNotFoundException':
      return `The Directory table does not exist in ${place}: look at --stage and --directory-table.`;
    case 'QueueDoesNotExist':
      return `The events queue does not exist in ${place}: look at --stage and --events-queue-url.`;
    case 'AdministrationError':
      return oneLine(fault.message);
    default:
      return oneLine(`${fault.name}: ${fault.message}`);
  }
};

const oneLine = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, ' ').trim();
