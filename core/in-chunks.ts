/** The items in their order, in parts of `most`; the last part may have fewer. */
export const inChunks = <Each>(all: readonly Each[], most: number): readonly Each[][] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, index) =>
    all.slice(index * most, (index + 1) * most),
  );
