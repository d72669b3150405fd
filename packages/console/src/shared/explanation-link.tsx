import { Link } from '@cloudscape-design/components';
import { useConsole } from '../console-context.ts';

/** Opens a page of the API in a new tab. */
export const ApiPageLink = ({ page, words }: { page: string; words: string }) => {
  const { config } = useConsole();
  return (
    <Link external externalIconAriaLabel="Opens in a new tab" href={`${config.api}${page}`}>
      {words}
    </Link>
  );
};

/** The page about a finding. Some findings have no page. */
export const ExplanationLink = ({ page }: { page: string | undefined }) =>
  page === undefined ? null : <ApiPageLink page={page} words="What this result means" />;
