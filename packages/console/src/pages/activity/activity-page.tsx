import { useNavigate, useSearch } from '@tanstack/react-router';
import { useAccountName, useIntegrations } from '../../api/reads.ts';
import { Activity } from '../../shared/activity.tsx';
import { readChangeFilter } from '../../shared/change-words.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { OrganisationOnly } from '../../shared/organisation-only.tsx';
import { Page } from '../../shell/page.tsx';
import { PLACES } from '../../shell/places.ts';

export const ActivityPage = () => {
  const account = useAccountName();
  return (
    <Page
      title="Activity"
      description={`Who changed the webhooks of ${account}, and when they failed and recovered.`}
    >
      <OrganisationOnly what="Webhooks" place={PLACES.activity}>
        <AccountActivity />
      </OrganisationOnly>
    </Page>
  );
};

const AccountActivity = () => {
  const filter = readChangeFilter(useSearch({ strict: false }));
  const navigate = useNavigate();
  return (
    <Loaded query={useIntegrations()} what="The webhooks">
      {(webhooks) => (
        <Activity
          webhooks={webhooks}
          filter={filter}
          onFilter={(search) =>
            void navigate({ to: '.', search: search as never, resetScroll: false })
          }
        />
      )}
    </Loaded>
  );
};
