import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { formErrors } from '../api/field-errors.ts';
import { FormAlert } from './form-alert.tsx';

/** What the dialog does when it is confirmed: a mutation, as far as a dialog needs it. */
interface Doing {
  readonly mutate: () => void;
  readonly isPending: boolean;
  readonly error: unknown;
}

/** Asks before something is done that cannot be undone. */
export const ConfirmDialog = ({
  title,
  confirm,
  doing,
  isAllowed = true,
  onClose,
  children,
}: {
  title: string;
  confirm: string;
  doing: Doing;
  isAllowed?: boolean;
  onClose: () => void;
  children: ReactNode;
}) => (
  <Modal
    visible
    header={title}
    onDismiss={onClose}
    footer={
      <Box float="right">
        <SpaceBetween direction="horizontal" size="xs">
          <Button variant="link" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            disabled={!isAllowed}
            loading={doing.isPending}
            onClick={() => doing.mutate()}
          >
            {confirm}
          </Button>
        </SpaceBetween>
      </Box>
    }
  >
    <FormAlert
      header="That did not work"
      errors={doing.error === null ? [] : formErrors(doing.error, []).others}
    />
    {children}
  </Modal>
);
