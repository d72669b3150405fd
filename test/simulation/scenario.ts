import fc from 'fast-check';
import { CALM, type Chaos, SCRIPTED } from './chance.ts';
import { type Behaviour, MOSTLY } from './customer-endpoints.ts';
import { behaviour, INTEGRATIONS, type Scene, scene } from './scenes.ts';
import { sequence } from './sequences.ts';
import type { Settings } from './world.ts';

export interface Scenario {
  readonly settings: Settings;
  readonly chaos: Chaos;
  /** The behaviour of all endpoints at first. */
  readonly first: Behaviour;
  readonly script: readonly Scene[];
  /** The behaviour of all endpoints at the end. */
  readonly working: Behaviour;
  /** Whether the steady events at the end outlast every backoff. */
  readonly outlastsBackoffs: boolean;
}

const rates = (...probabilities: number[]) => fc.constantFrom(0, ...probabilities);

export const scenario: fc.Arbitrary<Scenario> = fc.record({
  settings: fc.record({
    seed: fc.noShrink(fc.nat()),
    integrations: fc.integer({ min: 1, max: INTEGRATIONS }),
    busyAfter: fc.constantFrom(2, 4, 20),
    backoffLimits: fc.constantFrom(
      { most: 1, probes: 1 },
      { most: 3, probes: 1 },
      { most: 50, probes: 3 },
    ),
    windowMs: fc.constantFrom(3_600_000, 43_200_000),
    onFatalError: fc.constantFrom('pause', 'continue'),
    refusesDuplicates: fc.boolean(),
    flexibleMs: fc.constantFrom(0, 600_000),
    retryReceives: fc.constant(3),
    batchSize: fc.constant(3),
    pageSize: fc.constant(2),
  }),
  chaos: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(CALM, SCRIPTED) },
    {
      weight: 6,
      arbitrary: fc.record({
        crash: rates(0.02, 0.06),
        fault: rates(0.02, 0.06),
        repeat: rates(0.02, 0.06),
        stall: rates(0.02, 0.1),
        slow: rates(0.2, 0.4),
        duplicate: rates(0.05, 0.2),
        misfire: rates(0.2),
        outOfTime: rates(0.02, 0.1),
      }),
    },
  ),
  first: behaviour,
  script: fc
    .array(
      fc.oneof({ weight: 5, arbitrary: fc.tuple(scene) }, { weight: 1, arbitrary: sequence }),
      {
        minLength: 3,
        maxLength: 12,
        size: 'max',
      },
    )
    .map((parts) => parts.flat()),
  working: fc.oneof(
    { weight: 3, arbitrary: fc.constant('ok') },
    { weight: 2, arbitrary: fc.constantFrom(...MOSTLY) },
  ),
  outlastsBackoffs: fc.nat({ max: 3 }).map((drawn) => drawn === 0),
});
