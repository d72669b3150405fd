import { Box, Spinner } from '@cloudscape-design/components';
import { lazy, Suspense } from 'react';

/** Loaded when they are shown: the samples and the highlighters are large, and most pages have none. */
const ReceiverSamples = lazy(() =>
  import('./receiver-samples.tsx').then(({ ReceiverSamples }) => ({ default: ReceiverSamples })),
);

export const VerificationSamples = () => (
  <Suspense
    fallback={
      <Box padding="s" textAlign="center">
        <Spinner /> Loading the samples
      </Box>
    }
  >
    <ReceiverSamples />
  </Suspense>
);
