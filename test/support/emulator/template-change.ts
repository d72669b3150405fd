import type { Template } from './emulator-faults.ts';

/** A deployment of something else than the sources say. */
export interface TemplateChange {
  /** What the functions say their version is. */
  readonly version?: string | undefined;
  /** Whether the deployment fails once all functions are of the new version. */
  readonly fails: boolean;
}

export const changed = (template: Template, { version, fails }: TemplateChange): Template => {
  const functions = Object.entries(template.Resources)
    .filter(([, { Type }]) => Type === 'AWS::Lambda::Function')
    .map(([name]) => name);
  const Resources = fails && functions.length > 0 ? neverReady(functions) : {};
  const whole = { ...template, Resources: { ...template.Resources, ...Resources } };
  return version === undefined
    ? whole
    : JSON.parse(
        JSON.stringify(whole).replaceAll(
          /"SERVICE_VERSION":"[^"]*"/g,
          `"SERVICE_VERSION":"${version}"`,
        ),
      );
};

/** Waits for a signal that nobody sends. */
const neverReady = (functions: readonly string[]) => ({
  NeverReadyHandle: { Type: 'AWS::CloudFormation::WaitConditionHandle' },
  NeverReady: {
    Type: 'AWS::CloudFormation::WaitCondition',
    DependsOn: functions,
    Properties: { Handle: { Ref: 'NeverReadyHandle' }, Timeout: '1', Count: 1 },
  },
});
