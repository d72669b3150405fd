import Box from '@cloudscape-design/components/box';
import type { ReactNode } from 'react';

/** Something to do with a webhook: what that means, and the button. */
export const SettingRow = ({
  title,
  action,
  children,
}: {
  title: string;
  action: ReactNode;
  children: ReactNode;
}) => (
  <div className="setting">
    <div>
      <Box variant="h3" padding="n">
        {title}
      </Box>
      <Box color="text-body-secondary">{children}</Box>
    </div>
    {action}
  </div>
);
