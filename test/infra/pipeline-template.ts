import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../lib/app.ts';
import { addPipelineRoles } from '../../lib/pipeline-role-stack.ts';
import type { Properties } from './template.ts';

interface PipelineTemplate {
  readonly Resources: Record<string, { readonly Type: string; readonly Properties: Properties }>;
  readonly Outputs: Record<string, unknown>;
}

/** The template of the pipeline's roles, for options as `-c` gives them. */
export const synthesisePipeline = (options: Record<string, unknown>): PipelineTemplate => {
  const outdir = mkdtempSync(join(tmpdir(), 'pipeline-'));
  try {
    const app = createApp({
      outdir,
      builtinCloudFormationValidation: false,
      postCliContext: options,
    });
    const { stackName } = addPipelineRoles(app);
    return app.synth().getStackByName(stackName).template;
  } finally {
    rmSync(outdir, { recursive: true });
  }
};
