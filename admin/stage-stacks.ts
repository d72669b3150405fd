import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { readStack, type Stack } from '../adapters/cloudformation/stacks.ts';
import { AdministrationError } from '../core/refusal.ts';
import { clientConfigOf, type Target } from './target.ts';

export const STACKS = ['state', 'service'] as const;

type StackKind = (typeof STACKS)[number];

const ANOTHER_STAGE = 'choose another with --stage';
const ANOTHER_VERSION = `deploy this version, or ${ANOTHER_STAGE}`;
const NO_MAIL = 'the stage sends no e-mails';
const NO_POOL = `the stage has no user pool: leave out --sign-in, ${ANOTHER_STAGE}, or say who signs in with "users identify"`;

/** Outputs of the stack `state`; all others are of the stack `service`. */
const OF_STATE = /TableName$|^UserPoolId$|^SignInIssuer$|^SecretsKeyArn$/;

/** The remedy for a missing output. */
const INSTEAD: Readonly<Record<string, string>> = {
  UserPoolId: NO_POOL,
  SignInIssuer: NO_POOL,
  NoticeQueueUrl: NO_MAIL,
  NoticeDeadLetterQueueUrl: NO_MAIL,
};

export interface StageStacks {
  /** Throws AdministrationError when the stage has no such stack. */
  stack(kind: StackKind): Promise<Stack>;
  /** A name or address from the stacks' outputs. Throws AdministrationError without it. */
  findName(output: string): Promise<string>;
  /** The same; undefined without the output or the stack. */
  findNameIfAny(output: string): Promise<string | undefined>;
}

/** Reads each stack once. */
export const createStageStacks = (target: Target): StageStacks => {
  const { stage, place } = target;
  const client = new CloudFormationClient(clientConfigOf(target));
  const reads = new Map<StackKind, Promise<Stack | undefined>>();
  const read = (kind: StackKind): Promise<Stack | undefined> => {
    const started = reads.get(kind) ?? readStack(client, stackName(kind));
    reads.set(kind, started);
    return started;
  };
  const stackName = (kind: StackKind): string => `integrations-${stage}-${kind}`;
  const existing = async (kind: StackKind, instead: string): Promise<Stack> => {
    const stack = await read(kind);
    if (stack !== undefined) return stack;
    throw new AdministrationError(`There is no stack ${stackName(kind)} in ${place}: ${instead}.`);
  };
  const kindOf = (output: string): StackKind => (OF_STATE.test(output) ? 'state' : 'service');
  return {
    stack: (kind) => existing(kind, ANOTHER_STAGE),
    findNameIfAny: async (output) => (await read(kindOf(output)))?.outputs[output],
    findName: async (output) => {
      const { name, outputs } = await existing(kindOf(output), INSTEAD[output] ?? ANOTHER_STAGE);
      const value = outputs[output];
      if (value !== undefined) return value;
      throw new AdministrationError(
        `Stack ${name} has no output ${output} in ${place}: ${INSTEAD[output] ?? ANOTHER_VERSION}.`,
      );
    },
  };
};
