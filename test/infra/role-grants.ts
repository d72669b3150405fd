import type { Json, Properties, SynthesisedStage } from './template.ts';

type Grants = Record<string, Record<string, string[]>>;

/**
 * What every role of a stage may do: role, then resource, then actions in order, with the
 * condition behind the action if there is one. A resource that the stacks do not have is shown by
 * its ARN. Throws on what it could not show, such as a deny.
 */
export const roleGrants = (stage: SynthesisedStage): Grants => {
  const grants: Grants = {};
  for (const { path, properties } of stage.all('AWS::IAM::Role')) {
    const ofRole: Record<string, string[]> = {};
    for (const arn of list(properties.ManagedPolicyArns)) {
      ofRole[`managed:${/policy\/([\w/-]+)/.exec(JSON.stringify(arn))?.[1]}`] = [
        'everything in it',
      ];
    }
    for (const policy of list(properties.Policies)) {
      addStatements(ofRole, (policy as Properties).PolicyDocument, stage);
    }
    grants[path] = ofRole;
  }
  for (const { properties } of stage.all('AWS::IAM::Policy')) {
    for (const role of list(properties.Roles)) {
      const ofRole = grants[stage.pathOf(role)];
      if (!ofRole) throw new Error(`A policy for no role: ${JSON.stringify(role)}`);
      addStatements(ofRole, properties.PolicyDocument, stage);
    }
  }
  return grants;
};

const addStatements = (
  ofRole: Record<string, string[]>,
  document: Json | undefined,
  stage: SynthesisedStage,
): void => {
  for (const statement of list((document as Properties).Statement)) {
    const { Action, Condition, Effect, Resource, ...rest } = statement as Properties;
    const condition = Condition ? ` if ${JSON.stringify(Condition)}` : '';
    if (Effect !== 'Allow' || Object.keys(rest).length > 0) {
      throw new Error(`Not a plain grant: ${JSON.stringify(statement)}`);
    }
    for (const resource of list(Resource)) {
      const shown = stage.pathOrText(resource);
      const actions = list(Action).map((action) => `${action}${condition}`);
      ofRole[shown] = [...(ofRole[shown] ?? []), ...actions].sort();
    }
  }
};

const list = (value: Json | undefined): Json[] => {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
};
