/** Ids of what is on every page. */
export const TOP_BAR_ID = 'top-bar';
export const CONTENT_ID = 'content';
