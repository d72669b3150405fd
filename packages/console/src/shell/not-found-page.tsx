import { Link } from '@cloudscape-design/components';
import { Empty } from '../shared/empty.tsx';
import { Page } from './page.tsx';

export const NotFoundPage = () => (
  <Page title="Page not found" hasBreadcrumbs={false}>
    <Empty
      title="There is no page at this address"
      action={<Link href="/">Go to the start page</Link>}
    >
      The link may be old, or its target was deleted.
    </Empty>
  </Page>
);
