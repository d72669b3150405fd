import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { type Figures, keepRecord } from './records.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** What a test has counted, such as the requests it has sent. */
    figures?: Readonly<Record<string, number>>;
  }
}

const TITLES: Readonly<Record<string, string>> = {
  test: 'Tests',
  'test:slow': 'Long journeys',
  'test:console': 'Console in a browser',
  'test:receivers': 'Receivers',
  'test:clients': 'Generated clients',
};

/** Keeps a record of a whole script of package.json, not of a part that was asked for. */
export const createProofReporter = (): Reporter => ({
  onTestRunEnd: (modules, faults) => {
    const { npm_lifecycle_event: script = '', npm_lifecycle_script: text = '' } = process.env;
    const title = TITLES[script];
    const isWhole = text.replaceAll("'", '').endsWith(`vitest ${process.argv.slice(2).join(' ')}`);
    if (title === undefined || !isWhole) return;
    const long = process.env.LONG === undefined ? '' : 'LONG=1 ';
    const figures = { ...figuresOf(modules), ...(faults.length > 0 && { faults: faults.length }) };
    keepRecord(script.replace(':', '-'), { title, command: `${long}npm run ${script}`, figures });
  },
});

const figuresOf = (modules: readonly TestModule[]): Figures => {
  const figures: Record<string, number> = {};
  const add = (name: string, count: number) => {
    figures[name] = (figures[name] ?? 0) + count;
  };
  for (const each of modules) {
    for (const test of each.children.allTests()) {
      add(`${nameOf(each, test)}: ${test.result().state}`, 1);
      for (const [name, count] of Object.entries(test.meta().figures ?? {})) add(name, count);
    }
  }
  return figures;
};

/** Receivers and clients have a suite each. Other tests are counted by their projects. */
const nameOf = ({ project, relativeModuleId }: TestModule, { fullName }: TestCase): string =>
  relativeModuleId.endsWith('/conformance.test.ts')
    ? (fullName.split(' > ')[0] ?? fullName)
    : project.name;
