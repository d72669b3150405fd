import SideNavigation, {
  type SideNavigationProps,
} from '@cloudscape-design/components/side-navigation';
import { useParams, useRouterState } from '@tanstack/react-router';
import { useConsole } from '../console-context.ts';
import { PLACES } from './places.ts';

/** The links beside every page; those of an account's settings while the person is in them. */
export const ConsoleNavigation = () => {
  const { config } = useConsole();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { account } = useParams({ strict: false });
  return (
    <SideNavigation
      activeHref={activeLink(path, account)}
      items={[
        { type: 'link', text: 'Accounts', href: PLACES.accounts },
        ...(account !== undefined && path.startsWith(PLACES.settings(account))
          ? settingsLinks(account, path)
          : []),
        { type: 'divider' },
        { type: 'link', text: 'Event catalogue', href: PLACES.eventTypes },
        {
          type: 'link',
          text: 'API reference',
          href: `${config.api}/docs`,
          external: true,
          externalIconAriaLabel: 'Opens in a new tab',
        },
      ]}
    />
  );
};

const settingsLinks = (account: string, path: string): SideNavigationProps.Item[] => [
  { type: 'divider' },
  {
    type: 'link-group',
    text: 'Account Settings',
    href: PLACES.settings(account),
    // The settings' own page has these links as its content.
    items:
      path === PLACES.settings(account)
        ? []
        : [
            { type: 'link', text: 'Integrations', href: PLACES.integrations(account) },
            { type: 'link', text: 'Access tokens', href: PLACES.accessTokens(account) },
            { type: 'link', text: 'Users', href: PLACES.users(account) },
          ],
  },
];

/** The link whose page this is, or is below. */
const activeLink = (path: string, account: string | undefined): string => {
  if (account === undefined) return path;
  const sections = [
    PLACES.integrations(account),
    PLACES.accessTokens(account),
    PLACES.users(account),
    PLACES.settings(account),
  ];
  return sections.find((section) => path.startsWith(section)) ?? PLACES.accounts;
};
