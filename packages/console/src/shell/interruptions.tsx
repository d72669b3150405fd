import { Alert, Box, Button, Modal, SpaceBetween } from '@cloudscape-design/components';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { QUERIES } from '../api/reads.ts';
import { useConsole } from '../console-context.ts';
import { platformPageOf } from '../session/link-session.ts';
import { useSignal } from '../shared/signal.ts';

const TRY_EVERY_MS = 4_000;

/** Says that the service cannot be reached. Retries until it can, and then reads the page again. */
export const ConnectionBanner = () => {
  const isCutOff = useSignal(useConsole().isCutOff);
  const queries = useQueryClient();
  useEffect(() => {
    if (!isCutOff) return;
    const timer = setInterval(() => {
      if (!document.hidden) void queries.refetchQueries({ queryKey: QUERIES.me });
    }, TRY_EVERY_MS);
    return () => {
      clearInterval(timer);
      void queries.refetchQueries({ type: 'active' });
    };
  }, [isCutOff, queries]);
  return (
    <div role="status" className={isCutOff ? 'banner' : ''}>
      {isCutOff && 'The service cannot be reached. Retrying. Your input is kept.'}
    </div>
  );
};

/** Covers the page when the session has ended. The page keeps what was typed. */
export const ExpiredDialog = () => {
  const { isExpired, signInAgain } = useConsole().session;
  const hasEnded = useSignal(isExpired);
  if (!hasEnded) return null;
  return signInAgain ? <Expired onSignIn={signInAgain} /> : <Ended />;
};

const Ended = () => {
  const [isAside, setAside] = useState(false);
  const platformPage = platformPageOf(useConsole().config, window.location);
  const words = 'Open your webhooks from the platform again.';
  if (isAside) return <div className="banner">Your session has ended. {words}</div>;
  return (
    <Modal
      visible
      header="Your session has ended"
      onDismiss={() => setAside(true)}
      footer={
        platformPage !== undefined && (
          <Box float="right">
            <Button variant="primary" href={platformPage} target="_top">
              Go to the platform
            </Button>
          </Box>
        )
      }
    >
      <Box>{words} Copy what you have typed here before.</Box>
    </Modal>
  );
};

const Expired = ({ onSignIn }: { onSignIn: () => Promise<void> }) => {
  const { session } = useConsole();
  const [isAside, setAside] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const signInAgain = () => {
    setFailed(false);
    onSignIn().catch(() => {
      setFailed(true);
      setAside(false);
    });
  };
  const button = (
    <Button variant="primary" onClick={signInAgain}>
      Sign in again
    </Button>
  );
  if (isAside) return <div className="banner">Your sign-in has expired. {button}</div>;
  return (
    <Modal
      visible
      header="Your sign-in has expired"
      onDismiss={() => setAside(true)}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={() => void session.signOut()}>
              Sign out
            </Button>
            {button}
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Box>
          Sign in again in a new window. This page keeps your input and continues where it was.
        </Box>
        {hasFailed && (
          <Alert type="error">
            Your browser blocked the window. Allow windows for this page, and try again.
          </Alert>
        )}
      </SpaceBetween>
    </Modal>
  );
};
