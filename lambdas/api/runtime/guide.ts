/** A page for integrators, made of Markdown when the function is bundled. */
export interface Guide {
  /** Path of the page, such as `/guides/recover`. */
  readonly path: string;
  readonly title: string;
  /** The page without its title. `BASE` comes before the paths of links. */
  readonly html: string;
}

/** Stands for the path that the API is served at. */
export const BASE = '{base}';

export const GUIDE_NAME = /^[a-z]+(-[a-z]+)*$/;
