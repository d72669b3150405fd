import { ApiProblem } from './problem.ts';

/** What a failed call says about the fields of a form, and what it says beside them. */
export interface FormErrors {
  /** What is wrong with a field, by the JSON pointer of the field. */
  readonly fields: Readonly<Record<string, string>>;
  /** What no field of the form shows. */
  readonly others: readonly string[];
}

export const NO_ERRORS: FormErrors = { fields: {}, others: [] };

/**
 * Sorts the errors of a failed call by the fields of a form, given as JSON pointers. A field also
 * shows the errors of what is inside of it: `/settings/actions` those of each event type.
 */
export const formErrors = (error: unknown, pointers: readonly string[]): FormErrors => {
  if (!(error instanceof ApiProblem) || error.errors.length === 0) {
    return { fields: {}, others: [error instanceof Error ? error.message : String(error)] };
  }
  const fields: Record<string, string> = {};
  const others: string[] = [];
  for (const fault of error.errors) {
    const where = nameOf(fault);
    const field = 'pointer' in fault ? fieldOf(fault.pointer, pointers) : undefined;
    if (field === undefined) {
      others.push(`${where} ${fault.detail}`);
      continue;
    }
    const inside = where.slice(field.length + 1);
    const text = inside === '' ? capitalised(fault.detail) : `${inside} ${fault.detail}`;
    fields[field] = [fields[field], ended(text)].filter(Boolean).join(' ');
  }
  return { fields, others: others.map(ended) };
};

/** The innermost of the fields that has the pointer. */
const fieldOf = (pointer: string, fields: readonly string[]): string | undefined =>
  fields
    .filter((field) => pointer === field || pointer.startsWith(`${field}/`))
    .toSorted((a, b) => b.length - a.length)[0];

const nameOf = (fault: ApiProblem['errors'][number]): string => {
  if ('pointer' in fault) return fault.pointer === '' ? 'The request' : fault.pointer;
  return 'parameter' in fault ? fault.parameter : fault.header;
};

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
