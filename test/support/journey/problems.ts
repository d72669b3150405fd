import { expect } from 'vitest';
import type { ApiReply } from './platform-of.ts';

/** All refusals have the same form, whichever part of the service refuses. */
export const expectProblem = (reply: ApiReply, status: number, kind: string): void => {
  expect(reply.document).toMatchObject({
    // An API that is served below a stage's path has the path before it.
    type: expect.stringMatching(new RegExp(`/problems/${kind}$`)),
    title: expect.stringMatching(/\w/),
    status,
    detail: expect.stringMatching(/\w/),
    instance: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
  });
  expect(reply.status).toBe(status);
  expect(reply.headers.get('content-type')).toBe('application/problem+json');
};
