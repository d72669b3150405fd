import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useConsole } from '../console-context.ts';
import { useSignal } from '../shared/signal.ts';

/** Stands before the page when the sign-in has expired. The page keeps what was typed. */
export const ExpiredDialog = () => {
  const { session } = useConsole();
  const isExpired = useSignal(session.isExpired);
  return isExpired ? <Expired /> : null;
};

const Expired = () => {
  const { session } = useConsole();
  const [isAside, setAside] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const signInAgain = () => {
    setFailed(false);
    session.signInAgain().catch(() => {
      setFailed(true);
      setAside(false);
    });
  };
  const button = (
    <Button variant="primary" onClick={signInAgain}>
      Sign in again
    </Button>
  );
  if (isAside) {
    return <div className="banner">Your sign-in has expired. {button}</div>;
  }
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
          Sign in again in a window of its own. This page stays as it is, with what you typed, and
          goes on where it was.
        </Box>
        {hasFailed && (
          <Alert type="error">
            That did not work. Let your browser open windows for this page, and try again.
          </Alert>
        )}
      </SpaceBetween>
    </Modal>
  );
};
