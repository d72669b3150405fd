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
    {reasonOf(error)}
    {error instanceof ApiProblem && error.instance !== undefined && (
      <Box variant="small" display="block">
        An operator finds the request as {error.instance}
      </Box>
    )}
  </Alert>
);

const reasonOf = (error: unknown): string => {
  // A token that cannot be renewed has another dialog: this person is signed in.
  if (error instanceof ApiProblem && error.kind === 'unauthorized') {
    return 'You are signed in, but the service has no user for you, or has not any more. An operator of the service can add you.';
  }
  return error instanceof Error ? error.message : 'Something unexpected happened.';
};
