import { Link } from '@cloudscape-design/components';
import { Empty } from '../shared/empty.tsx';
import { Page } from './page.tsx';
import { PLACES } from './places.ts';

export const NotFoundPage = () => (
  <Page title="Page not found" hasBreadcrumbs={false}>
    <Empty
      title="There is no page at this address"
      action={<Link href={PLACES.accounts}>Go to Accounts</Link>}
    >
      The link may be old, or its target was deleted.
    </Empty>
  </Page>
);
