import { ApiProblem } from './problem.ts';

/** The errors of a failed call, for a form. */
export interface FormErrors {
  /** The error of each field, by the JSON pointer of the field. */
  readonly fields: Readonly<Record<string, string>>;
  /** The errors that belong to no field of the form. */
  readonly others: readonly string[];
}

/**
 * Assigns the errors of a failed call to the fields of a form, given as JSON pointers. A field also
 * gets the errors of its members: `/settings/actions` gets those of each event type. The error of a
 * call that did not fail is null.
 */
export const formErrors = (error: unknown, pointers: readonly string[]): FormErrors => {
  if (error === null) return { fields: {}, others: [] };
  if (!(error instanceof ApiProblem) || error.errors.length === 0) {
    return { fields: {}, others: [error instanceof Error ? error.message : String(error)] };
  }
  const fields: Record<string, string> = {};
  const others: string[] = [];
  for (const fault of error.errors) {
    const where = nameOf(fault);
    const field = fault.pointer === undefined ? undefined : fieldOf(fault.pointer, pointers);
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

/** The innermost field that contains the pointer. */
const fieldOf = (pointer: string, fields: readonly string[]): string | undefined =>
  fields
    .filter((field) => pointer === field || pointer.startsWith(`${field}/`))
    .toSorted((a, b) => b.length - a.length)[0];

const nameOf = ({ pointer, parameter, header }: ApiProblem['errors'][number]): string =>
  pointer || parameter || header || 'The request';

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
