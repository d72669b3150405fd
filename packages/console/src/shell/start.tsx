import { Navigate } from '@tanstack/react-router';
import { nameIn } from '../api/paths.ts';
import { useMe } from '../api/reads.ts';
import { useConsole } from '../console-context.ts';
import { Loaded } from '../shared/loaded.tsx';
import { PLACES } from './places.ts';

/** Leads on from `/`: a link of the platform to the webhooks, a sign-in to the accounts. */
export const Start = () => {
  const isOpenedByLink = useConsole().session.signInAgain === undefined;
  const me = useMe();
  if (!isOpenedByLink) return <Navigate to={PLACES.accounts} replace />;
  return (
    <Loaded query={me} what="Your user">
      {({ organisation }) => <Navigate to={PLACES.integrations(nameIn(organisation))} replace />}
    </Loaded>
  );
};
