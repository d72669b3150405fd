import * as z from 'zod';

/** One of `pointer`, `parameter` and `header`: generated clients read one type more easily than three. */
const fault = z.strictObject({
  pointer: z.string().optional().meta({ description: 'Into the body: a JSON pointer (RFC 6901).' }),
  parameter: z.string().optional().meta({ description: 'Name of a query parameter.' }),
  header: z.string().optional().meta({ description: 'Name of a header.' }),
  detail: z.string().meta({ description: 'What is wrong with it, in words.' }),
});

/** The document that answers every refusal and every fault. */
export const problemResource = z
  .strictObject({
    type: z
      .string()
      .regex(/^\/problems\/[a-z-]+$/)
      .meta({ description: 'Path of the page about the problem, whose last segment names it.' }),
    title: z.string().meta({ description: 'The words of the status.' }),
    status: z.int().min(400).max(599).meta({ description: 'The status code.' }),
    detail: z.string().meta({ description: 'For people.' }),
    instance: z
      .string()
      .regex(/^urn:uuid:/)
      .meta({ description: 'Identifies the request in the logs of the operator.' }),
    errors: z
      .array(fault)
      .optional()
      .meta({ description: 'What is not valid in the request: the first ten errors.' }),
  })
  .meta({
    id: 'Problem',
    description: 'A problem document ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)).',
  });

export type ProblemDocument = z.output<typeof problemResource>;
