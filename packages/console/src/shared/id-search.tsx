import { FormField, Input } from '@cloudscape-design/components';
import { useEffect, useState } from 'react';
import { LONGEST_ID, searchedIdIn } from './searched-id.ts';

interface IdSearchProps {
  readonly about: string | undefined;
  /** With undefined once the field is emptied. */
  readonly onSearch: (about: string | undefined) => void;
}

/** Searches for what became of an event, message, contact or call. */
export const IdSearch = ({ about = '', onSearch }: IdSearchProps) => {
  const [text, setText] = useState(about);
  const [isRefused, setIsRefused] = useState(false);
  useEffect(() => setText(about), [about]);
  return (
    <form
      className="delivery-search"
      onSubmit={(event) => {
        event.preventDefault();
        const id = searchedIdIn(text);
        setIsRefused(id === undefined && text.trim() !== '');
        if (id !== undefined) onSearch(id);
      }}
    >
      <FormField
        stretch
        label="Event, message, contact or call id"
        errorText={isRefused && `An id has at most ${LONGEST_ID} characters.`}
      >
        <Input
          type="search"
          clearAriaLabel="Clear"
          value={text}
          onChange={({ detail }) => {
            setText(detail.value);
            setIsRefused(false);
            if (detail.value === '' && about !== '') onSearch(undefined);
          }}
        />
      </FormField>
    </form>
  );
};

/** What an empty result says about searches. */
export const WhatIsFound = () => (
  <>
    You can find a delivery by the id of its event, and about a minute after it was sent by{' '}
    <code>data.message.id</code>, <code>data.contact.id</code> or <code>data.phoneCall.id</code>.
  </>
);
