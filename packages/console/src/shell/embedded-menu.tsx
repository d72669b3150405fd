import { Icon } from '@cloudscape-design/components';
import { useRouterState } from '@tanstack/react-router';
import { nameIn } from '../api/paths.ts';
import { useMe } from '../api/reads.ts';
import { useConsole } from '../console-context.ts';
import { TOP_BAR_ID } from './page.tsx';
import { PLACES } from './places.ts';

/** The pages of the user's organisation: in a frame instead of the top bar and the navigation. */
export const EmbeddedMenu = () => {
  const { config } = useConsole();
  const { data: me } = useMe();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const organisation = me && nameIn(me.organisation);
  const entries = organisation === undefined ? [] : entriesOf(organisation);
  const current = entries.find(({ href }) => path.startsWith(href));
  return (
    <nav id={TOP_BAR_ID} className="embedded-menu" aria-label="Console">
      <ul>
        {entries.map((entry) => (
          <li key={entry.href}>
            <a href={entry.href} aria-current={entry === current ? 'page' : undefined}>
              {entry.text}
            </a>
          </li>
        ))}
        <li>
          <a href={`${config.api}/guides`} target="_blank" rel="noopener">
            Guides{' '}
            <span className="external">
              <Icon name="external" size="small" ariaLabel="Opens in a new tab" />
            </span>
          </a>
        </li>
      </ul>
    </nav>
  );
};

/** The address of the settings is a part of the others: it is the last. */
const entriesOf = (organisation: string) => [
  { text: 'Webhooks', href: PLACES.integrations(organisation) },
  { text: 'Activity', href: PLACES.activity(organisation) },
  { text: 'Tokens', href: PLACES.accessTokens(organisation) },
  { text: 'Settings', href: PLACES.settings(organisation) },
];
