import { Tracer } from '@aws-lambda-powertools/tracer';
import type { PostResult } from '../../core/delivery/attempt.ts';
import type { WebhookRequest } from '../../core/delivery/sending/make-attempt.ts';
import type * as untraced from './no-tracing.ts';

/**
 * A trace has the invocation, its calls of AWS, and the POSTs to endpoints. It has no address,
 * because each would be a node of the map of services and may be secret, and no body, header or
 * error message.
 */

let made: Tracer | undefined;

/** Requests of Node are not traced by themselves: their addresses would be in the trace. */
const tracer = (): Tracer => {
  made ??= new Tracer({ captureHTTPsRequests: false });
  return made;
};

type Annotations = Readonly<Record<string, string | number>>;

/** Traces the work as a subsegment. The result of the work does not depend on the subsegment. */
const traced = <Result>(
  name: string,
  work: () => Promise<Result>,
  annotationsOf: (result: Result) => Annotations = () => ({}),
): Promise<Result> =>
  tracer().provider.captureAsyncFunc(name, async (part) => {
    try {
      const result = await work();
      for (const [key, value] of Object.entries(annotationsOf(result))) {
        part?.addAnnotation(key, value);
      }
      return result;
    } catch (fault) {
      part?.addFaultFlag();
      throw fault;
    } finally {
      part?.close();
    }
  }) as Promise<Result>;

type AnyHandler = (...given: readonly unknown[]) => Promise<unknown>;

export const tracedHandler: typeof untraced.tracedHandler = (handler) => {
  const called = handler as AnyHandler;
  const handle: AnyHandler = (...given) =>
    traced('handler', () => {
      tracer().annotateColdStart();
      tracer().addServiceNameAnnotation();
      return called(...given);
    });
  return handle as typeof handler;
};

export const tracedClient: typeof untraced.tracedClient = (client) =>
  tracer().captureAWSv3Client(client);

export const tracedEndpoint: typeof untraced.tracedEndpoint = (endpoint) => ({
  post: (request) =>
    traced(
      'endpoint',
      () => endpoint.post(request),
      (result) => ({ ...deliveryOf(request), ...answerOf(result) }),
    ),
});

/** The id that the log and the customer know the delivery by. */
const deliveryOf = ({ headers }: WebhookRequest): Annotations => {
  const delivery = headers['webhook-id'];
  return delivery === undefined ? {} : { delivery };
};

const answerOf = (result: PostResult): Annotations =>
  result.kind === 'answered' ? { statusCode: result.statusCode } : { reason: result.reason };
