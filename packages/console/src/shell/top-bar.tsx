import { Button } from '@cloudscape-design/components';
import { useQueryClient } from '@tanstack/react-query';
import { nameIn } from '../api/paths.ts';
import { useMe } from '../api/reads.ts';
import { useConsole } from '../console-context.ts';
import { roleInWords } from '../shared/roles.ts';
import { TOP_BAR_ID } from './page.tsx';
import { PLACES } from './places.ts';
import { ProductName } from './product.tsx';

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
      <a className="product" href={PLACES.accounts}>
        <ProductName />
      </a>
      <div className="who">
        {me && (
          <p className="person">
            <strong>{me.userName}</strong>{' '}
            <span>
              {roleInWords(me.role)} of {nameIn(me.account)}
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
