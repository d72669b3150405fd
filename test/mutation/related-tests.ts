import { globSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';

/** An import that exists at run time. */
const IMPORT =
  /^(?:import|export)\s(?!type\s)[^;]*?from '(\.{1,2}\/[^']+)'|^import '(\.{1,2}\/[^']+)'/gm;

const SOURCES = '{adapters,admin,bench,bin,core,lambdas,lib,local,test,tools}/**/*.ts';

/** By module, the modules that import it. */
const importersIn = (files: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const importers = new Map<string, string[]>();
  for (const file of files) {
    for (const [, from, effect] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const imported = resolve(file, '..', from ?? effect ?? '');
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return importers;
};

/** How many folders below `core/` and below a folder of `test/` have the same names. */
const sharedFolders = (file: string, test: string): number => {
  const [folders, others] = [file, test].map((one) => dirname(relative('.', one)).split('/'));
  const [, ...inCore] = folders ?? [];
  const [, , ...inTest] = others ?? [];
  const different = inCore.findIndex((folder, index) => folder !== inTest[index]);
  return different < 0 ? inCore.length : different;
};

/** Finds the tests that load a module: first those of its folder, then the nearest by imports. */
export const createRelatedTests = (tests: string): ((file: string) => readonly string[]) => {
  const importers = importersIn(globSync(SOURCES).map((file) => resolve(file)));
  const isTest = new Set(globSync(tests).map((file) => resolve(file)));
  return (file) => {
    const reached = new Set([resolve(file)]);
    // A set is walked in the order in which it grows: by the number of imports.
    for (const one of reached) {
      for (const importer of importers.get(one) ?? []) reached.add(importer);
    }
    return [...reached]
      .filter((one) => isTest.has(one))
      .toSorted((one, other) => sharedFolders(file, other) - sharedFolders(file, one));
  };
};
