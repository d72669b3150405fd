import type { PageOptions } from './account.ts';

const PAGE_LIMIT = 100;

/** Reads a list to its end. */
export const everyPage = async <Page extends { readonly next?: string }>(
  read: (options: PageOptions) => Promise<Page>,
): Promise<Page[]> => {
  const pages: Page[] = [];
  let after: string | undefined;
  do {
    const page = await read({ limit: PAGE_LIMIT, after });
    pages.push(page);
    after = page.next;
  } while (after !== undefined);
  return pages;
};
