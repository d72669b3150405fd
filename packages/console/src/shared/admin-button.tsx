import { Button, type ButtonProps } from '@cloudscape-design/components';
import { useMe } from '../api/reads.ts';
import { whyReadOnly } from './roles.ts';

/** A button for admins. Members see it disabled, with the reason. */
export const AdminButton = (props: ButtonProps) => {
  const { data: me } = useMe();
  const reason = whyReadOnly(me);
  if (reason === undefined) return <Button {...props} />;
  return <Button {...props} disabled disabledReason={reason} />;
};
