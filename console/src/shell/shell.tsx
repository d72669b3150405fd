import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { clientLink } from './client-link.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { ExpiredDialog } from './expired-dialog.tsx';
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
  return (
    <>
      <TopBar />
      <ConnectionBanner />
      <Outlet />
      <ExpiredDialog />
    </>
  );
};
