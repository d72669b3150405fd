import fc from 'fast-check';

/** Each run draws the same inputs; `SEED=<number>` draws others. A failure prints the seed. */
fc.configureGlobal({ seed: Number(process.env.SEED ?? 1) });
