import * as z from 'zod';
import { presentChangeTypes } from '../../../core/changes/change-event.ts';
import { CHANGE_KINDS } from '../../../core/changes/change-resource.ts';
import { basePath } from '../runtime/base-path.ts';
import type { Guides } from '../runtime/guide.ts';
import { pathParameter } from '../runtime/path-parameter.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../runtime/public-endpoint.ts';
import { CONTEXT_DOCUMENTS } from './context-documents.ts';
import { type DocsAssets, versionOf } from './docs-assets.ts';
import { docsPage } from './docs-page.ts';
import { homePage } from './home-page.ts';
import { type FrameDeps, PAGE_HEADERS, placeOf } from './html-page.ts';
import { listenProgram } from './listen-program.ts';
import { llmsTxt } from './llms-txt.ts';
import { publicRoute, textRoute } from './public-route.ts';

// The public documents that have one form, whatever the caller accepts.

export const getHome = textRoute({
  path: '/',
  operationId: 'getHome',
  summary: 'Get the home page',
  description: 'A page with links to the console and the documents.',
  mediaType: 'text/html',
  maxAgeSeconds: HOUR_SECONDS,
  headers: PAGE_HEADERS,
  answer: 'The page.',
  text: (event, deps: FrameDeps) => homePage(placeOf(event, deps)),
});

export const getLlmsTxt = textRoute({
  path: '/llms.txt',
  operationId: 'getLlmsTxt',
  summary: 'Get the page for language models',
  description:
    'As [llms.txt](https://llmstxt.org) defines it: the main facts about webhooks, and links to the documents.',
  mediaType: 'text/plain',
  maxAgeSeconds: HOUR_SECONDS,
  answer: 'The document, in Markdown.',
  text: (event, deps: { readonly guides: Guides }) => llmsTxt(basePath(event), deps.guides().pages),
});

const contextResource = z
  .strictObject({ '@context': z.record(z.string(), z.unknown()) })
  .meta({ id: 'ContextDocument', description: 'A JSON-LD 1.1 context.' });

export const getContext = textRoute({
  path: '/contexts/{document}',
  operationId: 'getContext',
  summary: 'Get a JSON-LD context',
  description:
    'The meaning of the members of a type, for JSON-LD processors. `@context` is this path.',
  mediaType: 'application/ld+json',
  maxAgeSeconds: DAY_SECONDS,
  answer: 'The context.',
  schema: contextResource,
  examples: {
    signature: { summary: 'Of a signature', value: CONTEXT_DOCUMENTS.get('Signature.jsonld') },
  },
  text: (event) => {
    const found = CONTEXT_DOCUMENTS.get(pathParameter(event, 'document') ?? '');
    return found && JSON.stringify(found);
  },
});

const openApiDocument = z
  .looseObject({ openapi: z.string(), info: z.looseObject({ version: z.string() }) })
  .meta({ id: 'OpenApiDocument', description: 'An OpenAPI 3.1 document.' });

export const getOpenapi = textRoute({
  path: '/openapi.json',
  operationId: 'getOpenapi',
  summary: 'Get this reference as an OpenAPI document',
  description: 'OpenAPI 3.1, from the schemas that validate requests.',
  mediaType: 'application/json',
  maxAgeSeconds: HOUR_SECONDS,
  answer: 'The document.',
  schema: openApiDocument,
  text: (event, deps: { readonly openApiText: (base: string) => string }) =>
    deps.openApiText(basePath(event)),
});

export const getDocs = textRoute({
  path: '/docs',
  operationId: 'getDocs',
  summary: 'Get this reference as a page',
  description: 'The OpenAPI document as a page, where you can try the calls.',
  mediaType: 'text/html',
  maxAgeSeconds: HOUR_SECONDS,
  headers: PAGE_HEADERS,
  answer: 'The page.',
  text: (event, deps: FrameDeps & { readonly assets: DocsAssets }) =>
    docsPage(placeOf(event, deps), versionOf(deps.assets())),
});

export const getDocsAsset = publicRoute(
  {
    path: '/docs/{asset}',
    operationId: 'getDocsAsset',
    summary: 'Get a file of the page',
    description: 'Styles and scripts of the page, and their licences. `Accept` is ignored.',
    documents: ['text/css', 'text/javascript', 'text/plain'].map((mediaType) => ({
      description: 'The file.',
      schema: z.string(),
      mediaType,
    })),
  },
  (event, deps: { readonly assets: DocsAssets }) =>
    deps.assets().get(pathParameter(event, 'asset') ?? ''),
);

export const getListen = textRoute({
  path: '/listen.mjs',
  operationId: 'getListen',
  summary: 'Get the program that receives on localhost',
  description:
    'A program for Node 20 or later, in one file without dependencies: `node listen.mjs --help`. It reads an integration’s deliveries from this API and posts them to an address on your machine.',
  mediaType: 'text/javascript',
  maxAgeSeconds: HOUR_SECONDS,
  answer: 'The program, with the address of this API.',
  text: (event, deps: { readonly program: string; readonly version: string }) =>
    listenProgram(deps.program, { event, version: deps.version }),
});

const changeType = z.strictObject({
  kind: z.enum(CHANGE_KINDS),
  detailType: z.string().meta({ description: '`detail-type` of the event on the bus.' }),
  description: z.string().meta({ description: 'What happened.' }),
  schema: z.record(z.string(), z.unknown()).meta({
    description: 'JSON Schema (2020-12) of `detail`. It allows members beyond those it names.',
  }),
  sample: z.record(z.string(), z.unknown()).meta({ description: 'A `detail`.' }),
});

const changeTypes = z
  .strictObject({ types: z.array(changeType) })
  .meta({ id: 'ChangeTypes', description: 'Every type of event on the bus of changes.' });

export const listChangeTypes = textRoute({
  path: '/change-types',
  operationId: 'listChangeTypes',
  summary: 'List the events of changes',
  description:
    'For the platform: the events about changes of integrations on the event bus of the stage, each with a JSON Schema and a sample of its `detail`.',
  mediaType: 'application/json',
  maxAgeSeconds: HOUR_SECONDS,
  answer: 'The types.',
  schema: changeTypes,
  examples: { all: { summary: 'All of them', value: presentChangeTypes() } },
  text: () => JSON.stringify(presentChangeTypes()),
});
