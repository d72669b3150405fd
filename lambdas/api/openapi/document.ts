import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { Route } from '../runtime/route.ts';
import { INTRODUCTION, TAGS } from './introduction.ts';
import { operationOf } from './operation.ts';
import { createResponsesOf } from './responses.ts';
import { webhook } from './webhook.ts';

/** The OpenAPI 3.1 document of the given routes, and of the webhook that the service calls. */
export const createOpenApiDocument = (routes: readonly Route[], { version }: { version: string }) =>
  createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Integrations API',
        version,
        description: INTRODUCTION,
        license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
      },
      // Relative to the document's own address, whatever the stage or the domain adds to the path.
      servers: [{ url: '.' }],
      security: [{ accessToken: [] }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      paths: pathsOf(routes),
      webhooks: { event: { post: webhook } },
      components: {
        securitySchemes: {
          accessToken: {
            type: 'http',
            scheme: 'bearer',
            description:
              'An access token, as `POST /{account_name}/access-tokens` or an operator makes it: `mst_` and 43 characters.',
          },
          platform: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: 'AWS Signature Version 4, for the service `execute-api`.',
            'x-amazon-apigateway-authtype': 'awsSigv4',
          },
        },
      },
    },
    {
      override: ({ jsonSchema, io }) => {
        // The format is enough: the pattern that zod adds is half a page long.
        if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
        // Generators of clients would make a member with a default required, or send the default.
        delete jsonSchema.default;
        // Generated clients would refuse the members that a later version adds to an answer.
        if (io === 'output' && jsonSchema.additionalProperties === false)
          delete jsonSchema.additionalProperties;
      },
    },
  );

const pathsOf = (routes: readonly Route[]): ZodOpenApiPathsObject => {
  const responsesOf = createResponsesOf();
  return Object.fromEntries(
    Map.groupBy(routes, ({ path }) => path)
      .entries()
      .map(([path, ofPath]) => [
        path,
        Object.fromEntries(
          ofPath.map((route) => [
            route.method.toLowerCase(),
            operationOf(route, responsesOf(route)),
          ]),
        ),
      ]),
  );
};
