import { ApiProblem } from './problem.ts';

/** The errors of a failed call, for a form. */
export interface FormErrors {
  /** The error of each field, by the JSON pointer of the field. */
  readonly fields: Readonly<Record<string, string>>;
  /** All errors, those of fields with the label of the field. */
  readonly all: readonly string[];
}

/** The labels of a form's fields, by the JSON pointer of the field. */
export type FieldLabels = Readonly<Record<string, string>>;

/**
 * Assigns the errors of a failed call to the fields of a form. A field also gets the errors of its
 * members: `/settings/actions` gets those of each event type. The error of a call that did not fail is
 * null.
 */
export const formErrors = (error: unknown, labels: FieldLabels): FormErrors => {
  if (error === null) return { fields: {}, all: [] };
  if (isOutdated(error)) return { fields: {}, all: [OUTDATED] };
  if (!(error instanceof ApiProblem) || error.errors.length === 0) {
    return { fields: {}, all: [error instanceof Error ? error.message : String(error)] };
  }
  return byField(error.errors, labels);
};

/** The warnings of a call that saved a form, each with the label of its field. */
export const warningsInWords = (
  warnings: ApiProblem['errors'],
  labels: FieldLabels,
): readonly string[] => byField(warnings, labels).all;

const byField = (faults: ApiProblem['errors'], labels: FieldLabels): FormErrors => {
  const fields: Record<string, string> = {};
  const others: string[] = [];
  for (const fault of faults) {
    const where = nameOf(fault);
    const field =
      fault.pointer === undefined ? undefined : fieldOf(fault.pointer, Object.keys(labels));
    if (field === undefined) {
      others.push(ended(`${where} ${fault.detail}`));
      continue;
    }
    const inside = where.slice(field.length + 1);
    const text = inside === '' ? capitalised(fault.detail) : `${inside} ${fault.detail}`;
    fields[field] = [fields[field], ended(text)].filter(Boolean).join(' ');
  }
  const labelled = Object.entries(fields).map(([field, text]) => `${labels[field]}: ${text}`);
  return { fields, all: [...labelled, ...others] };
};

/** Whether the webhook was changed after it was read. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof ApiProblem && error.kind === 'precondition-failed';

const OUTDATED = 'This webhook was changed after this page read it. Check it, and try again.';

/** The innermost field that contains the pointer. */
const fieldOf = (pointer: string, fields: readonly string[]): string | undefined =>
  fields
    .filter((field) => pointer === field || pointer.startsWith(`${field}/`))
    .toSorted((a, b) => b.length - a.length)[0];

const nameOf = ({ pointer, parameter, header }: ApiProblem['errors'][number]): string =>
  pointer || parameter || header || 'The request';

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
