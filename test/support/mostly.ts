import fc from 'fast-check';

/** The usual so many times as often as the odd. */
export const mostly = <Value>(
  usual: fc.Arbitrary<Value>,
  odd: fc.Arbitrary<Value>,
  { times = 7 } = {},
): fc.Arbitrary<Value> =>
  fc.oneof({ weight: times, arbitrary: usual }, { weight: 1, arbitrary: odd });
