import { problemExampleOf } from './problem-examples.ts';
import type { ProblemDocument } from './problem-resource.ts';
import { PROBLEMS, type ProblemKind } from './problems.ts';

/** What the page at a problem's `type` says. */
export interface ProblemPage {
  /** Path of the page. */
  readonly id: string;
  readonly kind: ProblemKind;
  readonly title: string;
  readonly status: number;
  readonly meaning: string;
  readonly remedy: string;
  readonly example: ProblemDocument;
}

const pageOf = (kind: ProblemKind): ProblemPage => {
  const { summary, value } = problemExampleOf(kind);
  return {
    id: value.type,
    kind,
    title: value.title,
    status: value.status,
    meaning: summary,
    remedy: PROBLEMS[kind].remedy,
    example: value,
  };
};

/** The page of every kind of problem, by status. */
export const PROBLEM_PAGES: readonly ProblemPage[] = (Object.keys(PROBLEMS) as ProblemKind[])
  .map(pageOf)
  .toSorted((one, other) => one.status - other.status);
