import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Environment, Stack } from 'aws-cdk-lib';
import { addStage, createApp } from '../../lib/app.ts';
import type { Notifications, OwnDomain } from '../../lib/deployment-options.ts';
import type { StageName } from '../../lib/stage-settings.ts';
import { settingsFor } from '../../lib/stages.ts';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type Properties = { [key: string]: Json };

export interface Resource {
  /** Its name in the template. */
  readonly logicalId: string;
  /** Its place in the construct tree without the stack, for example `Events/Queue`. */
  readonly path: string;
  readonly type: string;
  readonly properties: Properties;
  readonly deletionPolicy: string | undefined;
  readonly updateReplacePolicy: string | undefined;
  readonly updatePolicy: Json | undefined;
}

interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Properties;
  readonly Metadata: { readonly 'aws:cdk:path': string };
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly UpdatePolicy?: Json;
  readonly DependsOn?: readonly string[];
}

interface Template {
  readonly Resources: Record<string, TemplateResource>;
  readonly Outputs?: Record<
    string,
    { readonly Value: Json; readonly Export?: { readonly Name: string } }
  >;
  readonly Rules?: Record<string, Json>;
}

type Choice =
  | (
      | 'attemptLines'
      | 'canary'
      | 'runbookUrl'
      | 'platformUrl'
      | 'webAcl'
      | 'alarms'
      | 'dashboard'
      | 'tracing'
      | 'release'
    )
  | ('concurrency' | 'sendTraceparent' | 'producers' | 'provisioned')
  | ('backups' | 'backupCopyVaultArn' | 'batchingWindow' | 'mailFrom' | 'secretsKeyArn')
  | ('consoleLinkRoles' | 'consoleOrigin' | 'signInIssuer' | 'signInClientId' | 'signInJwksUri');

export interface StageChoices extends Readonly<Partial<Record<Choice, string>>> {
  readonly hourSeconds?: unknown;
  readonly env?: Environment;
  readonly consoleDomain?: OwnDomain;
  readonly hasConsole?: boolean;
  readonly hasUserPool?: boolean;
  readonly embedIn?: readonly string[];
  readonly apiDomain?: OwnDomain;
  readonly notifications?: Partial<Notifications>;
  readonly tags?: Readonly<Record<string, string>>;
  readonly qualifier?: string;
  /** Of the CDK itself. */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** The metric that an alarm watches, also in an expression, with period and statistic. */
export const watchedMetric = (alarm: Properties): Properties => {
  const [stat] = ((alarm.Metrics ?? []) as Properties[]).flatMap(({ MetricStat }) =>
    MetricStat === undefined ? [] : [MetricStat as Properties],
  );
  if (stat === undefined) return alarm;
  const { Metric, Period, Stat } = stat;
  return { ...(Metric as Properties), Period: Period ?? null, Statistic: Stat ?? null };
};

/** In the place of the built console. */
const CONSOLE_FILES = resolve(import.meta.dirname, 'built-console');

/**
 * A composed stage that bundles no code; nothing is synthesised yet. Deployed stages have a web
 * console unless `hasConsole` is false.
 */
export const compose = (
  stage: StageName,
  {
    env,
    consoleDomain,
    hasConsole = stage !== 'local',
    hasUserPool,
    embedIn,
    apiDomain,
    notifications,
    tags,
    qualifier,
    context,
    ...choices
  }: StageChoices = {},
) => {
  const settings = settingsFor(stage, choices);
  if (!settings) throw new Error(`There is no stage ${stage}.`);
  const outdir = mkdtempSync(join(tmpdir(), 'synthesised-'));
  const app = createApp({
    outdir,
    // Takes most of a synthesis. Here `command-line.test.ts` has it, and what CI lints is checked further.
    builtinCloudFormationValidation: false,
    postCliContext: {
      ...context,
      'aws:cdk:bundling-stacks': [],
      'aws:cdk:disable-asset-staging': true,
      'aws:cdk:enable-path-metadata': true,
    },
  });
  const { state, service } = addStage(app, settings, {
    env,
    consoleDomain,
    hasUserPool,
    embedIn,
    apiDomain,
    tags,
    qualifier,
    notifications: { emails: [], ...notifications },
    ...(hasConsole && { consoleFiles: CONSOLE_FILES }),
  });
  const stacks: readonly Stack[] = [state, service];
  const synthesiseTemplates = (): Template[] => {
    try {
      const assembly = app.synth();
      return stacks.map(({ stackName }) => assembly.getStackByName(stackName).template);
    } finally {
      rmSync(outdir, { recursive: true });
    }
  };
  return { stacks, service, synthesiseTemplates };
};

const synthesised = new Map<string, SynthesisedStage>();

export const synthesise = (stage: StageName, overrides: StageChoices = {}): SynthesisedStage => {
  const name = JSON.stringify([stage, overrides]);
  const known = synthesised.get(name) ?? new SynthesisedStage(stage, overrides);
  synthesised.set(name, known);
  return known;
};

/** A stage that sends e-mails, as stage `local` always does. */
export const synthesiseWithMail = (stage: StageName): SynthesisedStage =>
  synthesise(stage, stage === 'local' ? {} : { mailFrom: 'webhooks@example.com' });

/** May create links to the web console, see `synthesiseWithLinks`. */
export const LINK_ROLE = 'arn:aws:iam::444455556666:role/teams/platform';

/** A stage in which a role may create links to the web console. */
export const synthesiseWithLinks = (stage: StageName): SynthesisedStage =>
  synthesise(stage, {
    consoleLinkRoles: LINK_ROLE,
    ...(stage === 'local' && { consoleOrigin: 'http://localhost:4080' }),
  });

/** Both stacks of a stage as CloudFormation gets them. */
export class SynthesisedStage {
  readonly rules: Record<string, Json>;
  readonly stacks: readonly Stack[];
  readonly #templates: readonly Template[];

  constructor(stage: StageName, options: StageChoices = {}) {
    const { stacks, synthesiseTemplates } = compose(stage, options);
    this.stacks = stacks;
    this.#templates = synthesiseTemplates();
    this.rules = Object.assign({}, ...this.#templates.map(({ Rules }) => Rules));
  }

  /** What we declare; without a type, of every type. */
  all(type?: string): Resource[] {
    return this.#resources(type).filter(({ path }) => !isOfTheCdk(path));
  }

  /** The properties of what is declared at a path, such as `Events/Queue`. */
  at(path: string): Properties {
    return this.all().find((resource) => resource.path === path)?.properties ?? {};
  }

  /** The environment variables of the function of a name, such as `RouteEvent`. */
  variablesOf(name: string): Properties {
    const { Environment } = this.at(`${name}/Function`) as { Environment?: Properties };
    return (Environment?.Variables ?? {}) as Properties;
  }

  /** The values of a variable, by the names of the functions that have it. */
  variable(name: string): Record<string, Json> {
    const functions = this.all('AWS::Lambda::Function').map(({ path }) => path.split('/')[0] ?? '');
    return Object.fromEntries(
      functions.flatMap((each) => {
        const value = this.variablesOf(each)[name];
        return value === undefined ? [] : [[each, value]];
      }),
    );
  }

  /** The functions that the CDK adds for a deployment of its own, and their roles. */
  addedByTheCdk(type?: string): Resource[] {
    return this.#resources(type).filter(({ path }) => isOfTheCdk(path));
  }

  #resources(type?: string): Resource[] {
    return this.#templates.flatMap(({ Resources }) =>
      Object.entries(Resources)
        .filter(([, resource]) => type === undefined || resource.Type === type)
        .map(([logicalId, resource]) => ({
          logicalId,
          path: pathIn(resource),
          type: resource.Type,
          properties: resource.Properties ?? {},
          deletionPolicy: resource.DeletionPolicy,
          updateReplacePolicy: resource.UpdateReplacePolicy,
          updatePolicy: resource.UpdatePolicy,
        })),
    );
  }

  /** Of each stack, by logical id, the resources that a resource is made after. */
  needs(): ReadonlyMap<string, ReadonlySet<string>>[] {
    return this.#templates.map(
      ({ Resources }) =>
        new Map(
          Object.entries(Resources).map(([id, { Properties = {}, DependsOn = [] }]) => {
            const referred = [...referencesIn(Properties)].filter((name) => name in Resources);
            return [id, new Set([...DependsOn, ...referred])];
          }),
        ),
    );
  }

  /** The names under which operators and programs find things; not the stacks' own exports. */
  outputs(stackName?: string): string[] {
    const templates = this.#templates.filter(
      (_, index) => stackName === undefined || this.stacks[index]?.stackName === stackName,
    );
    return templates.flatMap(({ Outputs = {} }) =>
      Object.entries(Outputs).flatMap(([key, { Export }]) => (Export ? [] : [key])),
    );
  }

  /** What the stacks say under such a name. */
  outputValues(name: string): Json[] {
    return this.#templates.flatMap(({ Outputs = {} }) => Outputs[name]?.Value ?? []);
  }

  /** The path of what a Ref, an Arn or an import from the other stack points at. */
  pathOf(reference: Json | undefined): string {
    const { Ref, 'Fn::GetAtt': attribute, 'Fn::ImportValue': name } = reference as Properties;
    if (name) return this.pathOf(this.#exported(name));
    const logicalId = Ref ?? (attribute as Json[] | undefined)?.[0];
    for (const { Resources } of this.#templates) {
      const found = Resources[String(logicalId)];
      if (found) return pathIn(found);
    }
    throw new Error(`Not one resource of these stacks: ${JSON.stringify(reference)}`);
  }

  /** The function that a name, an ARN or a URI leads to, and whether it leads there by an alias. */
  called(reference: Json | undefined): { readonly path: string; readonly byAlias: boolean } {
    const ids = new Set(referencesIn(reference ?? null));
    const found = this.all().find(({ logicalId }) => ids.has(logicalId));
    if (!found) throw new Error(`No function of these stacks: ${JSON.stringify(reference)}`);
    const path = found.path.replace(/\/Live$/, '');
    return { path, byAlias: path !== found.path };
  }

  /** The same, and for what is put together of such references its text with their paths in it. */
  pathOrText(value: Json | undefined): string {
    if (typeof value === 'string') return value;
    const { Ref, 'Fn::Join': join } = value as Properties;
    if (join) {
      const [separator, parts] = join as [string, Json[]];
      return parts.map((part) => this.pathOrText(part)).join(separator);
    }
    return typeof Ref === 'string' && Ref.startsWith('AWS::') ? `<${Ref}>` : this.pathOf(value);
  }

  #exported(name: Json): Json | undefined {
    return this.#templates
      .flatMap(({ Outputs = {} }) => Object.values(Outputs))
      .find(({ Export }) => Export?.Name === name)?.Value;
  }
}

/** The names in each `Ref`, `Fn::GetAtt` and `Fn::Sub`, whatever their depth. */
const referencesIn = function* (value: Json): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) {
    const { Ref, 'Fn::GetAtt': attribute, 'Fn::Sub': text } = value;
    if (typeof Ref === 'string') yield Ref;
    if (Array.isArray(attribute)) yield String(attribute[0]);
    for (const [, name] of String(text).matchAll(/\$\{(\w+)/g)) yield String(name);
  }
  for (const inner of Object.values(value)) yield* referencesIn(inner);
};

const isOfTheCdk = (path: string): boolean => path.startsWith('Custom::');

const pathIn = (resource: TemplateResource): string =>
  resource.Metadata['aws:cdk:path'].replace(/^[^/]+\//, '').replace(/\/Resource$/, '');
