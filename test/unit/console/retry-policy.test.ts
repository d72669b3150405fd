import { describe, expect, it } from 'vitest';
import { ApiProblem, NoAnswer } from '../../../console/src/api/problem.ts';
import { isWorthRetrying, retryDelayMs } from '../../../console/src/api/query-client.ts';

describe('a failed read', () => {
  it.each([
    ['no answer came', new NoAnswer('The service cannot be reached.')],
    ['the service failed', new ApiProblem(500, {})],
    ['the function was too slow', new ApiProblem(504, {})],
    ['there were too many requests', new ApiProblem(429, {})],
  ])('is tried again when %s', (_, error) => {
    expect(isWorthRetrying(0, error)).toBe(true);
  });

  it.each([401, 403, 404, 409, 422])('is not tried again after a %i', (status) => {
    expect(isWorthRetrying(0, new ApiProblem(status, {}))).toBe(false);
  });

  it('is not tried again after a mistake of our own', () => {
    expect(isWorthRetrying(0, new TypeError('undefined is not a function'))).toBe(false);
  });

  it('is told to the person after three tries', () => {
    const error = new ApiProblem(500, {});
    expect([1, 2, 3].map((failures) => isWorthRetrying(failures, error))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('is tried again when the service asks for it', () => {
    expect(retryDelayMs(0, new ApiProblem(429, {}, 60_000))).toBe(60_000);
  });

  it('is tried again later each time, at most half a minute later', () => {
    const error = new NoAnswer('The service cannot be reached.');
    expect([0, 1, 2, 9].map((failures) => retryDelayMs(failures, error))).toEqual([
      1_000, 2_000, 4_000, 30_000,
    ]);
  });
});
