import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const text = z.string();

const Manifest = z.object({
  artifacts: z.record(
    text,
    z.discriminatedUnion('type', [
      z.object({
        type: z.literal('aws:cloudformation:stack'),
        properties: z.object({ templateFile: text }),
      }),
      z.object({ type: z.literal('cdk:asset-manifest'), properties: z.object({ file: text }) }),
      z.object({ type: z.enum(['cdk:tree', 'cdk:feature-flag-report']) }),
    ]),
  ),
});

const AssetManifest = z.object({
  files: z.record(
    text,
    z.object({
      source: z.object({ path: text }),
      destinations: z.record(text, z.object({ objectKey: text })),
    }),
  ),
});

const unread = z.unknown().optional();

const Template = z.strictObject({
  Resources: z.record(
    text,
    z.strictObject({
      Type: text,
      Properties: z.record(text, z.unknown()).default({}),
      DeletionPolicy: unread,
      DependsOn: unread,
      Metadata: unread,
      UpdateReplacePolicy: unread,
    }),
  ),
  Outputs: z.record(
    text,
    z.strictObject({
      Value: z.unknown(),
      Export: z.strictObject({ Name: text }).optional(),
    }),
  ),
  // Both concern the version of CDK's bootstrap stack, or forbid stage `local` in AWS.
  Parameters: unread,
  Rules: unread,
});

export interface StackTemplate {
  stackName: string;
  template: z.input<typeof Template>;
  /** S3 object key → absolute path of the directory that CDK would upload there. */
  assets: Map<string, string>;
}

/** The stacks in CDK's order: a stack comes after those it imports from. */
export const readAssembly = async (directory: string): Promise<StackTemplate[]> => {
  const read = async (file: string): Promise<unknown> =>
    JSON.parse(await readFile(join(directory, file), 'utf8'));
  const manifest = parseEmulated('manifest.json', Manifest, await read('manifest.json'));
  const assets = new Map<string, string>();
  const stacks: StackTemplate[] = [];
  for (const [stackName, artifact] of Object.entries(manifest.artifacts)) {
    if (artifact.type === 'cdk:asset-manifest') {
      const { files } = AssetManifest.parse(await read(artifact.properties.file));
      for (const { source, destinations } of Object.values(files)) {
        for (const { objectKey } of Object.values(destinations)) {
          assets.set(objectKey, join(directory, source.path));
        }
      }
    }
    if (artifact.type === 'aws:cloudformation:stack') {
      const template = await read(artifact.properties.templateFile);
      stacks.push({ stackName, template: parseEmulated(stackName, Template, template), assets });
    }
  }
  return stacks;
};

/** Throws when a value at a path has more than the schema: the run would ignore it. */
export const parseEmulated = <Value>(
  where: string,
  schema: z.ZodType<Value>,
  value: unknown,
): Value => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknownKey = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = [where, ...(issue?.path ?? []), ...unknownKey].join('.');
  throw notEmulated(path, issue?.message ?? 'unreadable');
};

/** @param what the value at the path, or what is wrong with the value */
export const notEmulated = (path: string, what: string): Error =>
  new Error(`${path}: the embedded run does not emulate this: ${what}`);
