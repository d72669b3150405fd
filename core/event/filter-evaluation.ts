import {
  type Choice,
  type Fields,
  folded,
  isObject,
  type Leaf,
  parseFilter,
} from './event-filter.ts';
import { exactNumberIn } from './exact-json.ts';

/**
 * Of one event, over the filters of all integrations of its account. A step is a value that is looked
 * up or visited, eight characters of a list that it is compared with, or a character of a text that is
 * folded or read as a number. A usual event takes ten for each filter; the slowest inputs that were
 * found take 0.15 s for so many.
 */
export const MAX_STEPS = 500_000;

const CHARACTERS_OF_STEP = 8;

/** Whether a filter, as JSON text, sends an event: also if a fault keeps it from being evaluated. */
export type EvaluateFilter = (filter: string) => {
  readonly isSent: boolean;
  readonly fault?: unknown;
};

/**
 * Returns a function that begins the evaluation of an event, which has `MAX_STEPS` for all filters.
 * A filter is parsed once for all events.
 */
export const createFilterEvaluation = (): ((data: unknown) => EvaluateFilter) => {
  const parse = remembering(parseFilter);
  return (data) => {
    const evaluation = new Evaluation();
    return (filter) => {
      try {
        return { isSent: matchesFields(parse(filter), data, evaluation) };
      } catch (fault) {
        return { isSent: true, fault };
      }
    };
  };
};

/** Of a single filter. */
export const evaluateFilter = (filter: string, data: unknown): ReturnType<EvaluateFilter> =>
  createFilterEvaluation()(data)(filter);

const remembering = <Result>(read: (text: string) => Result): ((text: string) => Result) => {
  const results = new Map<string, Result>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = read(text);
    results.set(text, result);
    return result;
  };
};

class Evaluation {
  #left = MAX_STEPS;

  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new Error(`The filters need more than ${MAX_STEPS} steps.`);
  }

  /** A text is folded once for all filters. */
  readonly fold = remembering((text) => {
    this.spend(text.length);
    return folded(text);
  });

  /** The value itself, or the double nearest to a number that was kept as its source text. */
  leafIn(value: unknown): Leaf | undefined {
    if (!isObject(value)) return value as Leaf | undefined;
    const source = exactNumberIn(value);
    if (source === undefined) return undefined;
    this.spend(source.length);
    return Number(source);
  }
}

const isFields = (wanted: Choice | Fields): wanted is Fields => wanted instanceof Map;

const matchesFields = (fields: Fields, value: unknown, evaluation: Evaluation): boolean => {
  evaluation.spend(1);
  if (Array.isArray(value) && value.length > 0) {
    return value.some((element) => matchesFields(fields, element, evaluation));
  }
  const members = isObject(value) && exactNumberIn(value) === undefined ? value : {};
  for (const [name, wanted] of fields) {
    evaluation.spend(1);
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    const isMatch = isFields(wanted)
      ? matchesFields(wanted, member, evaluation)
      : matchesChoice(wanted, member, evaluation);
    if (!isMatch) return false;
  }
  return true;
};

/** Of a list, one value in it or in its lists. */
const matchesChoice = (choice: Choice, value: unknown, evaluation: Evaluation): boolean => {
  const steps = 1 + Math.floor(choice.length / CHARACTERS_OF_STEP);
  let isNone = true;
  evaluation.spend(1);
  const unvisited = [value];
  while (unvisited.length > 0) {
    const next = unvisited.pop();
    if (Array.isArray(next)) {
      evaluation.spend(next.length);
      for (let at = next.length - 1; at >= 0; at -= 1) unvisited.push(next[at]);
      continue;
    }
    const leaf = evaluation.leafIn(next);
    if (leaf === undefined) continue;
    evaluation.spend(steps);
    isNone = false;
    if (
      choice.any ||
      choice.values.has(leaf) ||
      choice.tests.some((test) => test(leaf, evaluation.fold))
    )
      return true;
  }
  return isNone && choice.none;
};
