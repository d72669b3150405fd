import { Box, SpaceBetween } from '@cloudscape-design/components';
import type { ReactNode } from 'react';

interface EmptyProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

export const Empty = ({ title, children, action }: EmptyProps) => (
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
