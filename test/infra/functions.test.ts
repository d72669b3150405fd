import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { FUNCTION_MODULES, LAMBDAS } from '../../lib/constructs/function-bundles.ts';
import { stageNames } from '../../lib/stage-settings.ts';
import { settingsFor } from '../../lib/stages.ts';
import { roleGrants } from './role-grants.ts';
import {
  type Json,
  type Properties,
  type SynthesisedStage,
  synthesiseWithMail,
} from './template.ts';

/** The texts that this function serves can be imported by the bundler only. */
const UNIMPORTABLE = {
  'serve-reference': z.object({ SERVICE_VERSION: z.string(), CONSOLE_URL: z.string().optional() }),
};

/** By the path of its construct, the variables that the module of each function declares. */
const everySchema: Record<string, z.ZodObject> = Object.fromEntries(
  await Promise.all(
    Object.entries(FUNCTION_MODULES).map(async ([name, module]) => {
      const { environmentSchema } =
        name in UNIMPORTABLE
          ? { environmentSchema: UNIMPORTABLE[name as keyof typeof UNIMPORTABLE] }
          : await import(join(LAMBDAS, module));
      const id = name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
      return [`${id}/Function`, environmentSchema];
    }),
  ),
);

const isOptional = (variable: z.core.$ZodType): boolean => variable._zod.optin === 'optional';

/** The functions whose messages can come back to them, by the permissions and the event sources. */
const loops = (stage: SynthesisedStage): string[] => {
  const grants = roleGrants(stage);
  const consumers = new Map(
    stage
      .all('AWS::Lambda::EventSourceMapping')
      .map(({ properties }) => [
        stage.pathOf(properties.EventSourceArn),
        stage.called(properties.FunctionName).path,
      ]),
  );
  const reachedFrom = (path: string): string[] =>
    Object.entries(grants[path.replace('/Function', '/Role')] ?? {}).flatMap(
      ([resource, actions]) =>
        actions.includes('sqs:SendMessage') ? (consumers.get(resource) ?? []) : [],
    );
  const isReached = (path: string, from: string, seen = new Set<string>()): boolean =>
    reachedFrom(from).some((next) => {
      if (next === path) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return isReached(path, next, seen);
    });
  return [...consumers.values()].filter((path) => isReached(path, path));
};

describe.each(stageNames)('the functions of %s', (stageName) => {
  const stage = synthesiseWithMail(stageName);
  const schemas = Object.fromEntries(
    Object.entries(everySchema).filter(
      ([path]) => settingsFor(stageName)?.canary || !path.includes('Canary'),
    ),
  );
  const functions = stage.all('AWS::Lambda::Function');
  const functionAt = (path: string) => functions.find((found) => found.path === path)?.properties;
  const environmentOf = (path: string) =>
    (functionAt(path)?.Environment as { Variables: Properties } | undefined)?.Variables ?? {};

  it('are those that have a module', () => {
    expect(functions.map(({ path }) => path).toSorted()).toEqual(Object.keys(schemas).toSorted());
  });

  it('run with the role and the log group named for them', () => {
    const own = functions.map(({ properties }) => [
      stage.pathOf(properties.Role),
      stage.pathOf((properties.LoggingConfig as Properties).LogGroup),
    ]);

    expect(own).toEqual(
      functions.map(({ path }) => [
        path.replace('/Function', '/Role'),
        path.replace('/Function', '/Log'),
      ]),
    );
  });

  it('log JSON, and of Lambda only what has failed', () => {
    const logging = functions.map(({ properties }) => properties.LoggingConfig);

    expect(logging).toEqual(
      functions.map(() => expect.objectContaining({ LogFormat: 'JSON', SystemLogLevel: 'WARN' })),
    );
  });

  it('wait longer for AWS in the local run alone', () => {
    const limits = Object.values(stage.variable('AWS_CALL_TIMEOUT_MS'));

    expect(limits).toEqual(stageName === 'local' ? functions.map(() => '8000') : []);
  });

  it('run on Node 24 and arm64', () => {
    const runtimes = functions.map(({ properties }) => [
      properties.Runtime,
      properties.Architectures,
    ]);

    expect(runtimes).toEqual(functions.map(() => ['nodejs24.x', ['arm64']]));
  });

  it.each(Object.entries(schemas))(
    'give %s the variables it declares and no others',
    (path, schema) => {
      const ofTheRuntime = ['AWS_CALL_TIMEOUT_MS', 'CORS_ORIGIN', 'POWERTOOLS_SERVICE_NAME'];
      const given = Object.keys(environmentOf(path)).filter((name) => !ofTheRuntime.includes(name));

      const declared = Object.entries(schema.shape).flatMap(([name, variable]) =>
        given.includes(name) || !isOptional(variable) ? [name] : [],
      );

      expect(given.sort()).toEqual(declared.sort());
    },
  );

  it.each(Object.entries(schemas))('give %s values it accepts', (path, schema) => {
    const asDeployed = Object.entries(environmentOf(path)).map(([name, value]: [string, Json]) => [
      name,
      stage.pathOrText(value),
    ]);

    expect(schema.safeParse(Object.fromEntries(asDeployed)).error).toBeUndefined();
  });

  it.each(['DeliverWebhook', 'DeliverSlowly', 'RetryHourly'])(
    'of which %s has time for the slowest attempt and as long twice for the calls around it',
    (name) => {
      expect(functionAt(`${name}/Function`)?.Timeout).toBe(3 * 15);
    },
  );

  it('may send each other messages in a loop only where we mean it', () => {
    const looping = functions.filter(({ properties }) => properties.RecursiveLoop === 'Allow');

    expect(looping.map(({ path }) => path).toSorted()).toEqual(loops(stage).toSorted());
  });

  it('answer before the gateway gives up after 29 seconds', () => {
    const behindTheApi = stage
      .all('AWS::Lambda::Permission')
      .map(({ properties }) => functionAt(stage.called(properties.FunctionName).path)?.Timeout);

    expect(Math.max(...behindTheApi.map(Number))).toBeLessThan(29);
  });

  it('write logs that are not kept for ever', () => {
    const endless = stage
      .all('AWS::Logs::LogGroup')
      .filter(({ properties }) => properties.RetentionInDays === undefined);

    expect(endless).toEqual([]);
  });
});
