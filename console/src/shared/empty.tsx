import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';

/** There is nothing here: why, and what to do next. */
export const Empty = ({
  title,
  children,
  action,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) => (
  <Box textAlign="center" padding={{ vertical: 'xxl', horizontal: 'l' }}>
    <SpaceBetween size="s">
      <Box variant="h2" fontSize="heading-s" padding="n">
        {title}
      </Box>
      <Box color="text-body-secondary">{children}</Box>
      {action}
    </SpaceBetween>
  </Box>
);
