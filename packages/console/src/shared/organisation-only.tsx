import { Button, Container } from '@cloudscape-design/components';
import type { ReactNode } from 'react';
import { nameIn } from '../api/paths.ts';
import { useAccountName, useMe } from '../api/reads.ts';
import { Empty } from './empty.tsx';
import { Loaded } from './loaded.tsx';

interface OrganisationOnlyProps {
  /** The subject of the sentence "… belong to the organisation". */
  readonly what: string;
  readonly place: (account: string) => string;
  readonly children: ReactNode;
}

/** Content of the organisation's account. Other accounts get a link to it instead. */
export const OrganisationOnly = ({ what, place, children }: OrganisationOnlyProps) => {
  const name = useAccountName();
  return (
    <Loaded query={useMe()} what="Your user">
      {({ organisation }) => {
        const top = nameIn(organisation);
        if (name === top) return children;
        return (
          <Container>
            <Empty
              title={`${what} belong to the organisation`}
              action={<Button href={place(top)}>{`Go to ${top}`}</Button>}
            >
              {`${top} is your organisation’s account. Its webhooks also receive the events of ${name}.`}
            </Empty>
          </Container>
        );
      }}
    </Loaded>
  );
};
