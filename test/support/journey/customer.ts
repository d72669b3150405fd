import { inject } from 'vitest';
import { type Customer, newCustomerOf } from './customer-of.ts';
import { observers } from './platform.ts';
import { outputs } from './service-state.ts';

/** A new customer, whose webhooks get no events of other tests. */
export const newCustomer = async (): Promise<Customer> =>
  newCustomerOf(inject('service'), (await outputs).DirectoryTableName ?? '', observers);
