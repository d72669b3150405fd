import { useNavigate } from '@tanstack/react-router';
import { AdminButton } from '../../shared/admin-button.tsx';

export const AddWebhookButton = ({
  account,
  isPrimary = false,
}: {
  account: string;
  isPrimary?: boolean;
}) => {
  const navigate = useNavigate();
  return (
    <AdminButton
      variant={isPrimary ? 'primary' : 'normal'}
      onClick={() =>
        void navigate({
          to: '/accounts/$account/settings/integrations/new',
          params: { account },
        })
      }
    >
      Add Webhook
    </AdminButton>
  );
};
