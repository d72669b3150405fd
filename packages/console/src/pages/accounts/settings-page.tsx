import { Box, ColumnLayout, Container, Link, SpaceBetween } from '@cloudscape-design/components';
import { useAccountName } from '../../api/reads.ts';
import { Page } from '../../shell/page.tsx';
import { PLACES } from '../../shell/places.ts';
import { FailureMail } from './failure-mail.tsx';

export const SettingsPage = () => {
  const name = useAccountName();
  return (
    <Page title="Account Settings" description={`What belongs to ${name}.`}>
      <SpaceBetween size="l">
        <ColumnLayout columns={4} minColumnWidth={240}>
          <Section name="Integrations" href={PLACES.integrations(name)}>
            Webhooks: which endpoints receive events, which events, and how it went.
          </Section>
          <Section name="Activity" href={PLACES.activity(name)}>
            Who changed a webhook, and when one failed and recovered.
          </Section>
          <Section name="Access tokens" href={PLACES.accessTokens(name)}>
            Credentials for programs that call the API.
          </Section>
          <Section name="Users" href={PLACES.users(name)}>
            Who signs in here, and who may change things.
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
