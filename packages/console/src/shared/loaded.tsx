import { Alert, Box, Button, SpaceBetween } from '@cloudscape-design/components';
import type { ReactNode } from 'react';
import { ApiProblem, isMissing } from '../api/problem.ts';

interface LoadedProps<Data> {
  readonly query: {
    readonly data: Data | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  /** The subject of the sentence "… could not be read". */
  readonly what: string;
  /** Shown if the service answers 404. */
  readonly missing?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** Shows the data of a query. Until there is data, shows that it is loading, or why it failed. */
export const Loaded = <Data,>({ query, what, missing, children }: LoadedProps<Data>) => {
  const { data, error } = query;
  if (missing && isMissing(error)) return missing;
  // The data stays on the page while a later read fails; the connection banner says so.
  if (data !== undefined) return <>{children(data)}</>;
  if (error === null) return <LoadingLines />;
  return (
    <Alert
      type="error"
      header={`${what} could not be read`}
      action={<Button onClick={() => void query.refetch()}>Try again</Button>}
    >
      {reasonOf(error)}
      {error instanceof ApiProblem && error.instance !== undefined && (
        <Box variant="small" display="block">
          Tell the operator the id of the request: {error.instance}
        </Box>
      )}
    </Alert>
  );
};

const reasonOf = (error: Error): string => {
  // An expired token has a dialog of its own, so this user is signed in.
  if (error instanceof ApiProblem && error.kind === 'unauthorized') {
    return 'You are signed in, but you are not a user of this service. Ask its operator to add you.';
  }
  return error.message;
};

/** Takes the space of the data, so that the page does not jump when the data arrives. */
const LoadingLines = () => (
  <div role="status" aria-label="Loading">
    <SpaceBetween size="s">
      {[90, 78, 66, 54].map((percent) => (
        <div key={percent} className="loading-line" style={{ width: `${percent}%` }} />
      ))}
    </SpaceBetween>
  </div>
);
