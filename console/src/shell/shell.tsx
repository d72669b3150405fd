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
  // Of the page that is shown, not of one that is about to be.
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const shown = useRef(path);
  useEffect(() => {
    const before = shown.current;
    shown.current = path;
    if (before === undefined || before === path) return;
    document.getElementById(CONTENT_ID)?.focus({ preventScroll: true });
  }, [path]);
};
