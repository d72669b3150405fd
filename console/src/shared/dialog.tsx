import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
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

/** A mutation, as far as a dialog needs it. */
interface Change {
  readonly mutate: () => void;
  readonly isPending: boolean;
  readonly error: unknown;
}

/** Asks for confirmation before a change, and shows the error if the change fails. */
export const ConfirmDialog = ({
  change,
  children,
  ...dialog
}: Omit<DialogProps, 'isBusy' | 'onConfirm'> & { readonly change: Change }) => (
  <Dialog {...dialog} isBusy={change.isPending} onConfirm={() => change.mutate()}>
    <FormAlert header="That did not work" errors={formErrors(change.error, []).others} />
    {children}
  </Dialog>
);
