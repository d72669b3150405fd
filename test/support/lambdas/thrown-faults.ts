import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { AddressRefused } from '../../../adapters/http/connection-fault.ts';
import { faultField } from '../../../lambdas/runtime/reporting.ts';

const throwing = {
  ofDynamoDb: () => {
    throw new ProvisionedThroughputExceededException({ message: 'slow down', $metadata: {} });
  },
  ofZod: () => z.string().parse(4711),
  ofOurs: () => {
    throw new AddressRefused('no');
  },
  ofTheLanguage: () => new URL('nowhere'),
};

/** Faults as the log has them. */
export const thrownFaults = (): ReturnType<typeof faultField>[] =>
  Object.values(throwing).map((throwFault) => {
    try {
      throw throwFault();
    } catch (fault) {
      return faultField(fault);
    }
  });
