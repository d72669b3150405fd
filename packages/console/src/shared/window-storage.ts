/** Undefined where the browser refuses storage, as it may to a frame in a page of another site. */
export const windowStorage = (): Storage | undefined => {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
};
