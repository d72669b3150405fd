import { Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { clientLink } from './client-link.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { ExpiredDialog } from './expired-dialog.tsx';
import { CONTENT_ID } from './landmarks.ts';
import { closeNavigationIfNarrow } from './navigation-open.ts';
import { TopBar } from './top-bar.tsx';

/** What is around every page. */
export const Shell = () => {
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
  useFocusOnNewPage();
  return (
    <>
      <TopBar />
      <ConnectionBanner />
      <Outlet />
      <ExpiredDialog />
    </>
  );
};

/** Takes the keyboard and the screen reader to another page's content, as a browser does. */
const useFocusOnNewPage = (): void => {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    document.getElementById(CONTENT_ID)?.focus({ preventScroll: true });
  }, [path]);
};
