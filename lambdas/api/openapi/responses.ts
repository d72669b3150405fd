import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { type ProblemExample, problemExamplesOf } from '../runtime/problem-examples.ts';
import { problemResource } from '../runtime/problem-resource.ts';
import { DOCUMENTED_TYPES, PROBLEM_MEDIA_TYPE } from '../runtime/request-headers.ts';
import type { Answer, Example, Route } from '../runtime/route.ts';
import { headersOf } from './parameters.ts';
import recordings from './recorded-examples.json' with { type: 'json' };

/**
 * Returns a function that makes a route's responses. Problem responses that several routes have
 * become components, once each.
 */
export const createResponsesOf = () => {
  const known = new Map<string, ZodOpenApiResponseObject>();

  const problemResponse = (
    examples: readonly ProblemExample[],
    page: ZodOpenApiResponseObject | undefined,
  ): ZodOpenApiResponseObject => {
    const names = examples.map(({ name }) => pascalCase(name));
    const id = [...names, ...(page ? ['Page'] : [])].join('Or');
    const problems = problemsAnswer(examples);
    const response = known.get(id) ?? { id, ...(page ? withPage(problems, page) : problems) };
    known.set(id, response);
    return response;
  };

  return (route: Route): ZodOpenApiResponsesObject => {
    const answers = Map.groupBy<number, Answer>(route.answers, ({ status }) => status);
    const problems = Map.groupBy(problemExamplesOf(route), ({ value }) => value.status);
    return Object.fromEntries([
      ...[...answers].map(([status, given]) => [`${status}`, answerOf(given, route)]),
      ...[...problems].map(([status, examples]) => {
        const pages = answers.get(status);
        return [`${status}`, problemResponse(examples, pages && answerOf(pages, route))];
      }),
    ]);
  };
};

/** The response for one status: an answer, in one or several media types, the first with examples. */
const answerOf = (answers: readonly Answer[], { operationId }: Route): ZodOpenApiResponseObject => {
  const [first] = answers;
  const content = answers.flatMap(
    ({
      schema,
      mediaType,
      recorded,
      examples = recorded && recordedExamples(operationId, recorded),
    }) =>
      schema === undefined
        ? []
        : (mediaType === undefined ? DOCUMENTED_TYPES : [mediaType]).map((type, index) => [
            type,
            { schema, ...(index === 0 && examples && { examples: copiedExamples(examples) }) },
          ]),
  );
  return {
    description: first?.description ?? '',
    ...(first?.headers && { headers: headersOf(first.headers) }),
    ...(content.length > 0 && { content: Object.fromEntries(content) }),
  };
};

const RECORDINGS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = recordings;

const recordedExamples = (operationId: string, summaries: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(summaries).map(([name, summary]) => [
      name,
      { summary, value: RECORDINGS[operationId]?.[name] },
    ]),
  );

const problemsAnswer = (examples: readonly ProblemExample[]) => ({
  description: examples.map(({ summary }) => summary).join(' Or: '),
  ...(examples.some(({ headers }) => headers.length > 0) && {
    headers: headersOf(examples.flatMap(({ headers }) => headers)),
  }),
  content: {
    [PROBLEM_MEDIA_TYPE]: {
      schema: problemResource,
      examples: Object.fromEntries(
        examples.map(({ name, summary, value }) => [name, { summary, value }]),
      ),
    },
  },
});

/** Problems, or for a browser a page. */
const withPage = (
  problems: ReturnType<typeof problemsAnswer>,
  page: ZodOpenApiResponseObject,
): ZodOpenApiResponseObject => ({
  ...problems,
  description: `${problems.description} ${page.description}`,
  content: { ...problems.content, ...page.content },
});

const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Copies of a route's examples: OpenAPI's types need a mutable object for each occurrence. */
export const copiedExamples = (examples: Readonly<Record<string, Example>>) =>
  Object.fromEntries(Object.entries(examples).map(([name, example]) => [name, { ...example }]));
