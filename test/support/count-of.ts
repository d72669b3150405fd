/**
 * How often a test repeats itself: as often as still finds what is planted, since every change waits
 * for it, and far more often where `LONG` is set (`LONG=1 npm run verify`).
 */
export const countOf = ({ usually, long }: { usually: number; long: number }): number =>
  process.env.LONG === undefined ? usually : long;
