import { Link } from '@cloudscape-design/components';
import { useConsole } from '../console-context.ts';

/** Opens the API's page about a finding in a new tab. Some findings have no page. */
export const ExplanationLink = ({ page }: { page: string | undefined }) => {
  const { config } = useConsole();
  if (page === undefined) return null;
  return (
    <Link external externalIconAriaLabel="Opens in a new tab" href={`${config.api}${page}`}>
      What this result means
    </Link>
  );
};
