import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod';
import type { Logger } from '../../runtime/reporting.ts';
import { type PublicText, publicEndpoint, publicText } from '../runtime/public-endpoint.ts';
import type { Answer, Route } from '../runtime/route.ts';

type Declared = Pick<Route, 'path' | 'operationId' | 'summary' | 'description'>;

interface PublicRoute extends Declared {
  /** The document in each of its media types. */
  readonly documents: readonly Omit<Answer, 'status' | 'headers'>[];
}

type Find<Deps, Found> = (event: APIGatewayProxyEvent, deps: Deps) => Found | undefined;

const CACHEABLE = { headers: ['ETag', 'Cache-Control'] } as const satisfies Partial<Answer>;

const MISSING_PAGE = {
  status: 404,
  description: 'For a browser, whose `Accept` has `text/html`: a page.',
  schema: z.string(),
  mediaType: 'text/html',
} as const satisfies Answer;

/** The route of a public document. `find` returns what is at a request's address, if anything. */
export const publicRoute = <Deps>(
  { documents, ...declared }: PublicRoute,
  find: Find<Deps, PublicText>,
  missing?: Find<Deps, PublicText>,
) => {
  const isOfMany = declared.path.includes('{');
  const route: Route = {
    ...declared,
    method: 'GET',
    access: 'public',
    tag: 'Reference',
    requestHeaders: ['If-None-Match'],
    answers: [
      ...documents.map((document) => ({ ...document, ...CACHEABLE, status: 200 as const })),
      {
        ...CACHEABLE,
        status: 304,
        description: '`If-None-Match` has the current `ETag`.',
      },
      ...(missing && isOfMany ? [MISSING_PAGE] : []),
    ],
    refusals: isOfMany ? ['not-found'] : [],
  };
  const createHandler = (deps: Deps & { readonly logger: Logger }) =>
    publicEndpoint(
      deps.logger,
      (event) => find(event, deps),
      missing && ((event) => missing(event, deps)),
    );
  return { route, createHandler };
};

interface TextDocument<Deps> extends Declared, Pick<Answer, 'examples'> {
  readonly mediaType: string;
  readonly maxAgeSeconds: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the answer is, in words. */
  readonly answer: string;
  /** Of a JSON document; all others are texts. */
  readonly schema?: z.ZodType;
  readonly text: Find<Deps, string>;
  /** For a browser, where there is no such document. */
  readonly missing?: Find<Deps, string>;
}

/** The route of a document that has one media type, whatever the caller accepts. */
export const textRoute = <Deps>({
  mediaType,
  maxAgeSeconds,
  headers = {},
  answer,
  schema = z.string(),
  examples,
  text,
  missing,
  ...declared
}: TextDocument<Deps>) => {
  const charset = mediaType.startsWith('text/') ? '; charset=utf-8' : '';
  const options = { mediaType: mediaType + charset, maxAgeSeconds, headers };
  const made =
    (find: Find<Deps, string>): Find<Deps, PublicText> =>
    (event, deps) => {
      const found = find(event, deps);
      return found === undefined ? undefined : publicText(found, options);
    };
  return publicRoute<Deps>(
    {
      ...declared,
      description: `${declared.description} \`Accept\` is ignored.`,
      documents: [{ description: answer, schema, mediaType, ...(examples && { examples }) }],
    },
    made(text),
    missing && made(missing),
  );
};
