import Link from '@cloudscape-design/components/link';

export interface Crumb {
  readonly text: string;
  readonly href: string;
}

/** The way up from a page. The page itself is a word and no link: there is nowhere to go. */
export const Breadcrumbs = ({ above, page }: { above: readonly Crumb[]; page: string }) => (
  <nav className="breadcrumbs" aria-label="Breadcrumbs">
    <ol>
      {above.map(({ text, href }) => (
        <li key={href}>
          <Link href={href} variant="secondary">
            {text}
          </Link>
        </li>
      ))}
      <li aria-current="page">{page}</li>
    </ol>
  </nav>
);
