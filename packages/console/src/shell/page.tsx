import {
  AppLayoutToolbar,
  type AppLayoutToolbarProps,
  ContentLayout,
  Flashbar,
  Header,
  Icon,
  Link,
} from '@cloudscape-design/components';
import { useParams, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { Breakable } from '../shared/breakable.tsx';
import { createSignal, useSignal } from '../shared/signal.ts';
import { ConsoleNavigation } from './console-navigation.tsx';
import { isEmbedded } from './embedding.ts';
import { useNotices } from './notices.ts';
import { PLACES } from './places.ts';
import { PRODUCT } from './product.tsx';

export const TOP_BAR_ID = 'top-bar';
export const CONTENT_ID = 'content';

interface PageProps {
  /** The heading, and the title of the browser's tab unless `tabTitle` is given. */
  readonly title: string;
  readonly tabTitle?: string;
  readonly description?: ReactNode;
  /** Beside the heading, such as a status. */
  readonly info?: ReactNode;
  readonly actions?: ReactNode;
  readonly hasBreadcrumbs?: boolean;
  readonly contentType?: AppLayoutToolbarProps.ContentType;
  /** The split panel beside or below the page, open as long as it is given. */
  readonly side?: { readonly panel: ReactNode; readonly onClose: () => void } | undefined;
  /** Maximum width of the content in pixels. */
  readonly maxWidth?: number;
  readonly children: ReactNode;
}

export const Page = (props: PageProps) => {
  const { title, tabTitle = title, hasBreadcrumbs = true, side } = props;
  const isNavigationOpen = useSignal(navigationOpen);
  const notices = useNotices();
  const above = usePagesAbove();
  const [panelSize, setPanelSize] = useState(firstPanelSize);
  useEffect(keepFocus, []);
  useEscape(side?.onClose);
  useEffect(() => {
    document.title = `${tabTitle} · ${PRODUCT}`;
  }, [tabTitle]);
  return (
    <AppLayoutToolbar
      headerSelector={`#${TOP_BAR_ID}`}
      navigationHide={isEmbedded()}
      navigation={!isEmbedded() && <ConsoleNavigation />}
      navigationOpen={isNavigationOpen}
      onNavigationChange={({ detail }) => navigationOpen.set(detail.open)}
      navigationWidth={248}
      toolsHide
      contentType={props.contentType ?? 'default'}
      {...(props.maxWidth !== undefined && { maxContentWidth: props.maxWidth })}
      breadcrumbs={
        hasBreadcrumbs &&
        !isEmbedded() &&
        above.length > 0 && <Breadcrumbs above={above} page={tabTitle} />
      }
      notifications={notices.length > 0 && <Flashbar items={notices} />}
      // Always given: the layout ignores a handler that is added later.
      splitPanel={side?.panel}
      splitPanelOpen={side !== undefined}
      onSplitPanelToggle={() => side?.onClose()}
      splitPanelPreferences={PANEL_PLACE}
      splitPanelSize={panelSize}
      onSplitPanelResize={({ detail }) => setPanelSize(detail.size)}
      ariaLabels={LABELS}
      content={
        <div id={CONTENT_ID} tabIndex={-1}>
          {isEmbedded() && <WayBack above={above} />}
          <ContentLayout
            header={
              <Header
                variant="h1"
                info={props.info}
                description={props.description}
                actions={props.actions}
              >
                <Breakable>{title}</Breakable>
              </Header>
            }
          >
            {props.children}
          </ContentLayout>
        </div>
      }
    />
  );
};

let hasChanged = false;

const focusContent = (): void =>
  document.getElementById(CONTENT_ID)?.focus({ preventScroll: true });

/** Moves the focus to the content of a new page, as a browser does when it loads one. */
export const focusNewPage = (): void => {
  hasChanged = true;
  focusContent();
};

/** A page that replaces its loading state takes the focus with it. */
const keepFocus = (): void => {
  if (hasChanged && document.activeElement === document.body) focusContent();
};

/** Escape closes the panel, except in a dialog or a field. */
const useEscape = (close: (() => void) | undefined): void => {
  useEffect(() => {
    if (close === undefined) return undefined;
    const onKeyDown = ({ key, target }: KeyboardEvent): void => {
      const isElsewhere =
        target instanceof HTMLInputElement || document.querySelector('[role="dialog"]') !== null;
      if (key === 'Escape' && !isElsewhere) close();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [close]);
};

const PANEL_PLACE = { position: 'side' } as const;

/** In pixels: the width of a panel beside the page, or the height of one below a narrow page. */
const firstPanelSize = (): number =>
  window.innerWidth < 900 ? Math.round(window.innerHeight * 0.6) : 480;

const LABELS: AppLayoutToolbarProps.Labels = {
  navigation: 'Console',
  navigationToggle: 'Open navigation',
  navigationClose: 'Close navigation',
  notifications: 'Notices',
};

/** In a narrow window the navigation is closed at first, because it would cover the page. */
const isWide = () => window.matchMedia('(min-width: 900px)').matches;

const navigationOpen = createSignal(isWide());

/** In a narrow window the navigation closes when another page is opened. */
export const closeNavigationIfNarrow = (): void => {
  if (!isWide()) navigationOpen.set(false);
};

/** The pages of an account whose address is a part of this page's address. */
const usePagesAbove = () => {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { account } = useParams({ strict: false });
  if (account === undefined) return [];
  return [
    { text: 'Accounts', href: PLACES.accounts },
    { text: account, href: PLACES.account(account) },
    { text: 'Account Settings', href: PLACES.settings(account) },
    { text: 'Integrations', href: PLACES.integrations(account) },
  ].filter(({ href }) => path.startsWith(`${href}/`));
};

type Crumbs = ReturnType<typeof usePagesAbove>;

/** From the page of a webhook to all webhooks. The menu leads to the other pages. */
const WayBack = ({ above }: { above: Crumbs }) => {
  const webhooks = above.find(({ text }) => text === 'Integrations');
  return webhooks === undefined ? null : (
    <div className="way-back">
      <a href={webhooks.href}>
        <Icon name="arrow-left" size="inherit" /> All webhooks
      </a>
    </div>
  );
};

/** The page itself is text and no link. */
const Breadcrumbs = ({ above, page }: { above: Crumbs; page: string }) => (
  <nav className="breadcrumbs" aria-label="Breadcrumbs">
    <ol>
      {above.map(({ text, href }) => (
        <li key={href}>
          <Link href={href} variant="secondary">
            {text}
          </Link>
        </li>
      ))}
      <li aria-current="page">{page}</li>
    </ol>
  </nav>
);
