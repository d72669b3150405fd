import Box from '@cloudscape-design/components/box';
import { useParams } from '@tanstack/react-router';
import { ApiProblem } from '../../api/problem.ts';
import { Empty } from '../../shared/empty.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { Page } from '../../shell/page.tsx';
import { PLACES } from '../../shell/places.ts';
import { useWebhook } from './webhook-queries.ts';
import { WebhookView } from './webhook-view.tsx';

/** A webhook: what went wrong and what to do about it, and everything that was sent to it. */
export const WebhookPage = () => {
  const { account = '', id = '' } = useParams({ strict: false });
  const query = useWebhook(id);
  if (query.data !== undefined) {
    // Another webhook is another page: nothing of the former is left.
    return (
      <WebhookView
        key={id}
        account={account}
        id={id}
        integration={query.data.body}
        etag={query.data.etag}
      />
    );
  }
  const isMissing = query.error instanceof ApiProblem && query.error.status === 404;
  return (
    <Page title="Webhook">
      {isMissing ? (
        <Empty title="There is no such webhook">
          It was deleted, or belongs to another organisation.
          <Box padding={{ top: 's' }}>
            <a href={PLACES.integrations(account)}>All webhooks of {account}</a>
          </Box>
        </Empty>
      ) : (
        <Loaded query={query} what="The webhook">
          {() => null}
        </Loaded>
      )}
    </Page>
  );
};
