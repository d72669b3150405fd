import Skeleton from '@cloudscape-design/components/skeleton';
import SpaceBetween from '@cloudscape-design/components/space-between';

/** Takes the place of what is being read, so that the page does not jump when it is there. */
export const LoadingLines = ({ lines = 4 }: { lines?: number }) => (
  <div role="status" aria-label="Loading">
    <SpaceBetween size="s">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are alike and never move.
        <Skeleton key={line} width={`${90 - line * 12}%`} />
      ))}
    </SpaceBetween>
  </div>
);
