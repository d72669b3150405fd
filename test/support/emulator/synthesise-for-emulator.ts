import { spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { changed, withoutEmulatorFaults } from './emulator-faults.ts';

// The CDK app, of which the emulator gets templates that it can take. The command line of the CDK
// starts this instead of bin/app.ts when CDK_APP says so, and names the folder of the assembly.
const { CDK_OUTDIR: folder = 'cdk.out', CHANGED_VERSION, CHANGE_FAILS } = process.env;
const { AWS_ENDPOINT_URL = '' } = process.env;
const change = { version: CHANGED_VERSION, fails: CHANGE_FAILS === 'yes' };

/** The assembly names a template's file by what the file held before. */
const rename = async (path: string, from: string, to: string): Promise<void> => {
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replaceAll(from, to));
};

const { status } = spawnSync(process.execPath, ['bin/app.ts'], { stdio: 'inherit' });
process.exitCode = status ?? 1;
const files = status === 0 ? await readdir(folder) : [];
for (const file of files.filter((name) => name.endsWith('.template.json'))) {
  const path = `${folder}/${file}`;
  const template = JSON.parse(await readFile(path, 'utf8'));
  const taken = changed(withoutEmulatorFaults(template, AWS_ENDPOINT_URL), change);
  await writeFile(path, JSON.stringify(taken, null, 1));
}
if (change.version !== undefined) {
  for (const file of files.filter((name) => name.endsWith('.assets.json'))) {
    const { files: assets } = JSON.parse(await readFile(`${folder}/${file}`, 'utf8'));
    const templates = Object.entries<{ source: { path: string } }>(assets).filter(
      ([, { source }]) => source.path.endsWith('.template.json'),
    );
    for (const [hash] of templates) {
      const key = `${hash}-${change.version}${change.fails ? '-fails' : ''}`;
      await rename(`${folder}/${file}`, `${hash}.json`, `${key}.json`);
      await rename(`${folder}/manifest.json`, `${hash}.json`, `${key}.json`);
    }
  }
}
