import { Icon, SideNavigation, type SideNavigationProps } from '@cloudscape-design/components';
import { useParams, useRouterState } from '@tanstack/react-router';
import { nameIn } from '../api/paths.ts';
import { useIntegrationsOf, useMe } from '../api/reads.ts';
import { useConsole } from '../console-context.ts';
import { PLACES } from './places.ts';

/** The links beside every page. The links of an account's settings are shown in its settings. */
export const ConsoleNavigation = () => {
  const { config } = useConsole();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { account } = useParams({ strict: false });
  const webhooks = useWebhooksLink();
  return (
    <>
      <h1 className="navigation-title">Navigation</h1>
      <SideNavigation
        activeHref={activeLink(path, account)}
        items={[
          { type: 'link', text: 'Accounts', href: PLACES.accounts },
          ...webhooks,
          ...(account !== undefined && path.startsWith(PLACES.settings(account))
            ? settingsLinks(account, path)
            : []),
          { type: 'divider' },
          { type: 'link', text: 'Event catalogue', href: PLACES.eventTypes },
          documentLink('Guides', `${config.api}/guides`),
          documentLink('API reference', `${config.api}/docs`),
        ]}
      />
    </>
  );
};

/** To the webhooks of the user's organisation, with the number of those that are failed. */
const useWebhooksLink = (): readonly SideNavigationProps.Link[] => {
  const { data: me } = useMe();
  const organisation = me && nameIn(me.organisation);
  const { data: webhooks = [] } = useIntegrationsOf(organisation);
  if (organisation === undefined) return [];
  const failed = webhooks.filter(({ status }) => status === 'failed').length;
  const link = { type: 'link', text: 'Webhooks', href: PLACES.integrations(organisation) } as const;
  if (failed === 0) return [link];
  const info = <Icon name="status-negative" variant="error" />;
  return [{ ...link, text: `Webhooks, ${failed} failed`, info }];
};

/** Of a document that the API serves. */
const documentLink = (text: string, href: string): SideNavigationProps.Link => ({
  ...{ type: 'link', text, href, external: true },
  externalIconAriaLabel: 'Opens in a new tab',
});

const sectionsOf = (account: string) => [
  { text: 'Activity', href: PLACES.activity(account) },
  { text: 'Access tokens', href: PLACES.accessTokens(account) },
  { text: 'Users', href: PLACES.users(account) },
];

const settingsLinks = (account: string, path: string): SideNavigationProps.Item[] => {
  const href = PLACES.settings(account);
  const links = sectionsOf(account).map((section) => ({ type: 'link' as const, ...section }));
  // The page of the settings has these links as its content.
  const items = path === href ? [] : links;
  return [{ type: 'divider' }, { type: 'link-group', text: 'Account Settings', href, items }];
};

/** The link to the page, or to the section that contains the page. */
const activeLink = (path: string, account: string | undefined): string => {
  if (account === undefined) return path;
  const sections = [
    PLACES.integrations(account),
    ...sectionsOf(account).map(({ href }) => href),
    PLACES.settings(account),
  ];
  return sections.find((section) => path.startsWith(section)) ?? PLACES.accounts;
};
