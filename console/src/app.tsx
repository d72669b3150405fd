import { I18nProvider } from '@cloudscape-design/components/i18n';
import messages from '@cloudscape-design/components/i18n/messages/all.en';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { createQueryClient } from './api/query-client.ts';
import { type ConsoleContext, ConsoleProvider } from './console-context.ts';
import { createConsoleRouter } from './routes.tsx';
import { NoticesProvider } from './shell/notices.tsx';

/** The console of the person who is signed in. */
export const App = (context: ConsoleContext) => {
  const [queryClient] = useState(createQueryClient);
  const [router] = useState(createConsoleRouter);
  return (
    <I18nProvider locale="en" messages={[messages]}>
      <ConsoleProvider value={context}>
        <QueryClientProvider client={queryClient}>
          <NoticesProvider>
            <RouterProvider router={router} />
          </NoticesProvider>
        </QueryClientProvider>
      </ConsoleProvider>
    </I18nProvider>
  );
};
