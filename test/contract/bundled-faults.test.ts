import { expect, it } from 'vitest';
import { importBundled } from '../support/adapters/bundled-module.ts';
import type * as source from '../support/lambdas/thrown-faults.ts';

const { thrownFaults }: typeof source = await importBundled(
  'test/support/lambdas/thrown-faults.ts',
);

it('a fault in the log of a bundled function has its name', () => {
  expect(thrownFaults().map(({ error }) => error.split(':')[0])).toEqual([
    'ProvisionedThroughputExceededException',
    'ZodError',
    'AddressRefused',
    'TypeError',
  ]);
});

it('a fault in the log of a bundled function has a stack with the names of functions', () => {
  const [ofDynamoDb] = thrownFaults();
  expect(ofDynamoDb?.stack).toMatch(/at .*ofDynamoDb/);
  expect(ofDynamoDb?.stack).toMatch(/at .*thrownFaults/);
});
