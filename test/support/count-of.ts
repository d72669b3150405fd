/**
 * How often a test repeats itself: as often as still finds what is planted, since every change waits
 * for it, and far more often where `LONG` is set (`npm run verify:long`).
 */
export const countOf = ({ usually, long }: { usually: number; long: number }): number =>
  process.env.LONG === undefined ? usually : long;
