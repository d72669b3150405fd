/** A page for integrators, made of Markdown when the function is bundled. */
export interface Guide {
  /** Path of the page, such as `/guides/recover`. */
  readonly path: string;
  readonly title: string;
  /** The page without its title. `BASE` comes before the paths of links. */
  readonly html: string;
}

/** What is made of the documents when the function is bundled. */
export interface GuideTexts {
  readonly pages: readonly Guide[];
  /** Links to all pages in groups, as HTML with `BASE`. */
  readonly navigation: string;
  /** The first receiver, the files of the receivers and their archives, by path. */
  readonly files: Readonly<Record<string, string>>;
}

/** Reads the guides at the first call. */
export type Guides = () => GuideTexts;

/** Stands for the path that the API is served at. */
export const BASE = '{base}';

export const GUIDE_NAME = /^[a-z]+(-[a-z]+)*$/;
export const FILE_NAME = /^[A-Za-z0-9_.-]+$/;
