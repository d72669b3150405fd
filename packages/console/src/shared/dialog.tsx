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
export const Dialog = (props: DialogProps) => (
  <Modal
    visible
    header={props.title}
    onDismiss={props.onClose}
    footer={
      <Box float="right">
        <SpaceBetween direction="horizontal" size="xs">
          <Button variant="link" onClick={props.onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            disabled={props.isAllowed === false}
            loading={props.isBusy}
            onClick={props.onConfirm}
          >
            {props.confirm}
          </Button>
        </SpaceBetween>
      </Box>
    }
  >
    {props.children}
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
    <FormAlert
      header="That did not work"
      errors={formErrors(change.error, {}).all}
      failure={change.error}
    />
    {children}
  </Dialog>
);
