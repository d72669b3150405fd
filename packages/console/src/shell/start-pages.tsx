import { Box, Button, SpaceBetween } from '@cloudscape-design/components';
import { type ReactNode, useEffect } from 'react';
import { PRODUCT, ProductName } from './product.tsx';

/** A page that is shown instead of the console. */
const StartPage = ({ title, children }: { title: string; children: ReactNode }) => {
  useEffect(() => {
    document.title = `${title} · ${PRODUCT}`;
  }, [title]);
  return (
    <main className="start-page">
      <div className="start-card">
        <SpaceBetween size="m">
          <p className="product">
            <ProductName />
          </p>
          <Box variant="h1">{title}</Box>
          {children}
        </SpaceBetween>
      </div>
    </main>
  );
};

export const SignedOut = ({ onSignIn }: { onSignIn: () => void }) => (
  <StartPage title="You are signed out">
    <Button variant="primary" onClick={onSignIn}>
      Sign in
    </Button>
  </StartPage>
);

/** For the window of a repeated sign-in, if the browser does not close it. */
export const WindowDone = () => (
  <StartPage title="You are signed in">
    <Box>
      Close this window and continue in the other one, or{' '}
      <a href="/accounts">open the console here</a>.
    </Box>
  </StartPage>
);

/** How to open the page that a link did not open. */
interface Ways {
  readonly platformPage: string | undefined;
  readonly onSignIn: (() => void) | undefined;
}

const Ways = ({ platformPage, onSignIn }: Ways) => (
  <SpaceBetween direction="horizontal" size="xs">
    {platformPage !== undefined && (
      <Button variant="primary" href={platformPage} target="_top">
        Go to the platform
      </Button>
    )}
    {onSignIn && (
      <Button variant={platformPage === undefined ? 'primary' : 'normal'} onClick={onSignIn}>
        Sign in
      </Button>
    )}
  </SpaceBetween>
);

export const OpenedByPlatform = (ways: Ways) => (
  <StartPage title="Open your webhooks from the platform">
    <Box>Your platform makes a new link whenever you open them there.</Box>
    <Ways {...ways} />
  </StartPage>
);

export const LinkExpired = (ways: Ways) => (
  <StartPage title="This link has been used or has expired">
    <Box>Open your webhooks from the platform again.</Box>
    <Ways {...ways} />
  </StartPage>
);

export const StartFailure = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <StartPage title="The console could not start">
    <Box>
      {error instanceof Error ? error.message : 'Something unexpected happened.'} Check your
      connection, and try again.
    </Box>
    <Button variant="primary" onClick={onRetry}>
      Try again
    </Button>
  </StartPage>
);
