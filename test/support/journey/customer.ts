import { inject } from 'vitest';
import { type Customer, newCustomerOf } from './customer-of.ts';
import { observers } from './platform.ts';
import { outputs } from './service-state.ts';

/** A customer of a test's own: its webhooks hear of no other test's events. */
export const newCustomer = async (): Promise<Customer> =>
  newCustomerOf(inject('service'), (await outputs).DirectoryTableName ?? '', observers);
