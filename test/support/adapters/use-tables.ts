import { afterAll, beforeAll } from 'vitest';
import { type EmulatedTables, startTables, type Tables } from './emulated-tables.ts';

/** The embedded run's DynamoDB while the tests of a suite run. */
export const useTables = (): Tables => {
  let tables: EmulatedTables;
  beforeAll(async () => {
    tables = await startTables();
  });
  afterAll(() => tables.stop());
  return {
    get client() {
      return tables.client;
    },
    createTable: (...key) => tables.createTable(...key),
  };
};
