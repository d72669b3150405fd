import Button from '@cloudscape-design/components/button';
import { useQueryClient } from '@tanstack/react-query';
import { nameIn } from '../api/integration-calls.ts';
import { useMe } from '../api/use-me.ts';
import { useConsole } from '../console-context.ts';
import { PLACES } from './places.ts';
import { PRODUCT } from './product.ts';

export const TOP_BAR_ID = 'top-bar';

/** The product's name, who is signed in, and the way out. */
export const TopBar = () => {
  const { session } = useConsole();
  const queries = useQueryClient();
  const { data: me } = useMe();
  const signOut = () => {
    queries.clear();
    void session.signOut();
  };
  return (
    <header id={TOP_BAR_ID} className="top-bar">
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <a className="product" href={PLACES.accounts}>
        <Mark />
        {PRODUCT}
      </a>
      <div className="who">
        {me && (
          <p className="person">
            <strong>{me.userName}</strong>{' '}
            <span>
              {me.role === 'admin' ? 'Admin' : 'Member'} of {nameIn(me.organisation)}
            </span>
          </p>
        )}
        <Button variant="link" onClick={signOut}>
          Sign out
        </Button>
      </div>
    </header>
  );
};

const Mark = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="8" />
    <path d="M8 10.5A2.5 2.5 0 0 1 10.5 8h11a2.5 2.5 0 0 1 2.5 2.5v7a2.5 2.5 0 0 1-2.5 2.5H15l-5 4v-4.05a2.5 2.5 0 0 1-2-2.45z" />
  </svg>
);
