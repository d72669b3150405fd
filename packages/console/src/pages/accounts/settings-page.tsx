import { Box, ColumnLayout, Container, Link, SpaceBetween } from '@cloudscape-design/components';
import { useAccountName } from '../../api/reads.ts';
import { isEmbedded } from '../../shell/embedding.ts';
import { Page } from '../../shell/page.tsx';
import { PLACES } from '../../shell/places.ts';
import { FailureMail } from './failure-mail.tsx';

export const SettingsPage = () => {
  const name = useAccountName();
  return (
    <Page title="Account Settings" description={`Settings of ${name}.`}>
      <SpaceBetween size="l">
        <ColumnLayout columns={4} minColumnWidth={240}>
          {/* The menu of a frame has them. */}
          {!isEmbedded() && (
            <>
              <Section name="Integrations" href={PLACES.integrations(name)}>
                Webhooks: endpoints, event types and deliveries.
              </Section>
              <Section name="Activity" href={PLACES.activity(name)}>
                Who changed webhooks, and when they failed and recovered.
              </Section>
              <Section name="Access tokens" href={PLACES.accessTokens(name)}>
                Credentials for programs that call the API.
              </Section>
            </>
          )}
          <Section name="Users" href={PLACES.users(name)}>
            Who can sign in, and who can make changes.
          </Section>
        </ColumnLayout>
        <FailureMail />
      </SpaceBetween>
    </Page>
  );
};

const Section = ({ name, href, children }: { name: string; href: string; children: string }) => (
  <Container fitHeight>
    <Box variant="h2" padding={{ bottom: 'xxs' }}>
      <Link href={href} fontSize="heading-m">
        {name}
      </Link>
    </Box>
    <Box color="text-body-secondary">{children}</Box>
  </Container>
);
