import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const Manifest = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      type: z.string(),
      properties: z
        .object({
          templateFile: z.string().optional(),
          stackName: z.string().optional(),
          directoryName: z.string().optional(),
          file: z.string().optional(),
        })
        .optional(),
      dependencies: z.array(z.string()).default([]),
    }),
  ),
});

const AssetManifest = z.object({
  files: z
    .record(
      z.string(),
      z.object({
        source: z.object({ path: z.string() }),
        destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
      }),
    )
    .default({}),
});

const Template = z.object({
  Parameters: z.record(z.string(), z.object({ Default: z.unknown() })).default({}),
  Conditions: z.record(z.string(), z.unknown()).default({}),
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Condition: z.string().optional(),
      Properties: z.record(z.string(), z.unknown()).default({}),
    }),
  ),
  Outputs: z
    .record(
      z.string(),
      z.object({
        Value: z.unknown(),
        Description: z.string().optional(),
        Condition: z.string().optional(),
        Export: z.object({ Name: z.unknown() }).optional(),
      }),
    )
    .default({}),
});

type Template = z.infer<typeof Template>;

export interface StackTemplate {
  stackName: string;
  template: Template;
  /** S3 object key → absolute path of the file or directory CDK would upload there. */
  assets: Map<string, string>;
}

/** The stacks of a synthesised cloud assembly; a stack comes after those it depends on. */
export const readAssembly = async (directory: string): Promise<StackTemplate[]> => {
  const { artifacts } = Manifest.parse(await readJson(directory, 'manifest.json'));
  const assets = await readAssets(directory, artifacts);
  const stacks: StackTemplate[] = [];
  for (const id of dependencyOrder(artifacts)) {
    const artifact = artifacts[id];
    if (artifact?.type === 'cdk:cloud-assembly' && artifact.properties?.directoryName) {
      stacks.push(...(await readAssembly(join(directory, artifact.properties.directoryName))));
    }
    if (artifact?.type === 'aws:cloudformation:stack' && artifact.properties?.templateFile) {
      const template = Template.parse(await readJson(directory, artifact.properties.templateFile));
      stacks.push({ stackName: artifact.properties.stackName ?? id, template, assets });
    }
  }
  return stacks;
};

const readJson = async (directory: string, file: string): Promise<unknown> =>
  JSON.parse(await readFile(join(directory, file), 'utf8'));

type Artifacts = z.infer<typeof Manifest>['artifacts'];

const readAssets = async (
  directory: string,
  artifacts: Artifacts,
): Promise<Map<string, string>> => {
  const assets = new Map<string, string>();
  for (const { type, properties } of Object.values(artifacts)) {
    if (type !== 'cdk:asset-manifest' || !properties?.file) continue;
    const { files } = AssetManifest.parse(await readJson(directory, properties.file));
    for (const { source, destinations } of Object.values(files)) {
      for (const { objectKey } of Object.values(destinations)) {
        assets.set(objectKey, join(directory, source.path));
      }
    }
  }
  return assets;
};

const dependencyOrder = (artifacts: Artifacts): string[] => {
  const ordered = new Set<string>();
  const visit = (id: string, path: readonly string[]): void => {
    if (ordered.has(id)) return;
    if (path.includes(id)) throw new Error(`Stacks depend on each other: ${path.join(' → ')}`);
    for (const dependency of artifacts[id]?.dependencies ?? []) visit(dependency, [...path, id]);
    ordered.add(id);
  };
  for (const id of Object.keys(artifacts)) visit(id, []);
  return [...ordered];
};
