import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import { ApiProblem } from '../api/problem.ts';

/** Something could not be read: why, and what to do. */
export const Failed = ({
  error,
  what,
  onRetry,
}: {
  error: unknown;
  what: string;
  onRetry: () => void;
}) => (
  <Alert
    type="error"
    header={`${what} could not be read`}
    action={<Button onClick={onRetry}>Try again</Button>}
  >
    {error instanceof Error ? error.message : 'Something unexpected happened.'}
    {error instanceof ApiProblem && error.instance !== undefined && (
      <Box variant="small" display="block">
        An operator finds the request as {error.instance}
      </Box>
    )}
  </Alert>
);
