import { Box, Button, Modal, SpaceBetween } from '@cloudscape-design/components';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formErrors } from '../api/field-errors.ts';
import { FormAlert } from './form-alert.tsx';

interface DialogProps {
  readonly title: string;
  /** The label of the button that confirms. */
  readonly confirm: string;
  readonly isBusy: boolean;
  readonly isAllowed?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog with a button that does something, and one that cancels. */
export const Dialog = ({
  title,
  confirm,
  isBusy,
  isAllowed = true,
  onConfirm,
  onClose,
  children,
}: DialogProps) => (
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
          <Button variant="primary" disabled={!isAllowed} loading={isBusy} onClick={onConfirm}>
            {confirm}
          </Button>
        </SpaceBetween>
      </Box>
    }
  >
    {children}
  </Modal>
);

export type ConfirmDialogProps = Omit<DialogProps, 'isBusy' | 'onConfirm'> & {
  readonly change: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'error'>;
};

/** Asks for confirmation before a change. Closes after the change, or shows why it failed. */
export const ConfirmDialog = ({ change, children, ...dialog }: ConfirmDialogProps) => (
  <Dialog
    {...dialog}
    isBusy={change.isPending}
    onConfirm={() => change.mutate(undefined, { onSuccess: dialog.onClose })}
  >
    <FormAlert header="That did not work" errors={formErrors(change.error, []).others} />
    {children}
  </Dialog>
);
