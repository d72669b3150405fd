import { Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { EmbeddedMenu } from './embedded-menu.tsx';
import { isEmbedded } from './embedding.ts';
import { ConnectionBanner, ExpiredDialog } from './interruptions.tsx';
import { CONTENT_ID, closeNavigationIfNarrow, focusNewPage } from './page.tsx';
import { TopBar } from './top-bar.tsx';

export const Shell = () => {
  useClientLinks();
  useFocusOnNewPage();
  return (
    <>
      <a className="skip-link" href={`#${CONTENT_ID}`}>
        Skip to content
      </a>
      {isEmbedded() ? <EmbeddedMenu /> : <TopBar />}
      <ConnectionBanner />
      <Outlet />
      <ExpiredDialog />
    </>
  );
};

/** Makes every `href` within the console a link of the router, including those of Cloudscape. */
const useClientLinks = (): void => {
  const { history } = useRouter();
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const href = clientLink(event);
      if (href === undefined) return;
      event.preventDefault();
      history.push(href);
      closeNavigationIfNarrow();
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, [history]);
};

/** The address within the console that a click leads to. Other links are left to the browser. */
const clientLink = (event: MouseEvent): string | undefined => {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const href = link?.getAttribute('href');
  if (!link || !href?.startsWith('/') || (link.target !== '' && link.target !== '_self')) {
    return undefined;
  }
  return href;
};

const useFocusOnNewPage = (): void => {
  // The path of the page that is shown, not of a page that is still loading.
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const shown = useRef(path);
  useEffect(() => {
    const before = shown.current;
    shown.current = path;
    if (before === undefined || before === path) return;
    focusNewPage();
  }, [path]);
};
