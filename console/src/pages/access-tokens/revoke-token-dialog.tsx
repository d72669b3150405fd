import Box from '@cloudscape-design/components/box';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { revokeAccessToken } from '../../api/changes.ts';
import { nameIn } from '../../api/paths.ts';
import { QUERIES } from '../../api/reads.ts';
import type { AccessToken } from '../../api/resources.ts';
import { useApi } from '../../console-context.ts';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { tell } from '../../shell/notices.ts';

export const RevokeTokenDialog = ({
  account,
  token,
  onClose,
}: {
  account: string;
  token: AccessToken;
  onClose: () => void;
}) => {
  const api = useApi();
  const queries = useQueryClient();
  const revoking = useMutation({
    mutationFn: () => revokeAccessToken(api, account, nameIn(token.id)),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: QUERIES.accessTokens(account) });
      tell({ type: 'success', text: `The token ${token.name} is revoked.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Revoke ${token.name}?`}
      confirm="Revoke"
      doing={revoking}
      onClose={onClose}
    >
      <Box>
        Programs that use it are refused within a minute. A revoked token cannot be brought back.
      </Box>
    </ConfirmDialog>
  );
};
