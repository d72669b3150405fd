import { Refusal } from '../../core/refusal.ts';

/** The refusal an action throws. Fails when it throws another error, or none. */
export const refusalOf = async (action: () => unknown): Promise<Refusal> => {
  try {
    await action();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
};

/** Where the faults of a validation refusal are, in its order. */
export const pointersOf = ({ faults }: Refusal): string[] =>
  faults.map((fault) => {
    if ('pointer' in fault) return fault.pointer;
    return 'parameter' in fault ? fault.parameter : fault.header;
  });
