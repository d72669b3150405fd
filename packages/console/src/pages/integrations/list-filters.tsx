import {
  Button,
  ExpandableSection,
  FormField,
  Input,
  Select,
  type SelectProps,
} from '@cloudscape-design/components';
import { useEffect } from 'react';
import type { Integration } from '../../api/resources.ts';
import { searchedIdIn } from '../../shared/searched-id.ts';
import { useWidth } from '../../shared/width.ts';
import { inView, type ListView, ORDERS, SIZES, statusesOf } from './list-view.ts';

interface ListFiltersProps {
  readonly integrations: readonly Integration[];
  readonly view: ListView;
  readonly onView: (view: ListView) => void;
  /** The id whose deliveries are shown instead of the list. */
  readonly about: string | undefined;
  /** With undefined once the field is emptied. */
  readonly onSearch: (about: string | undefined) => void;
}

/** A list with fewer rows has no filters. */
const WORTH_FILTERING = 5;
/** In pixels. In a narrower page the filters are behind a button. */
const ROOM_FOR_FILTERS = 640;

/** One field finds webhooks, and what became of an event, message, contact or call. */
export const ListFilters = (props: ListFiltersProps) => {
  const [place, width] = useWidth();
  const { about, integrations } = props;
  const filters = about === undefined && integrations.length >= WORTH_FILTERING && (
    <div className="filters">
      <Filters {...props} />
    </div>
  );
  return (
    <div ref={place} className="filters">
      <Search {...props} />
      {width < ROOM_FOR_FILTERS && filters ? (
        <ExpandableSection headerText="Filter and sort">{filters}</ExpandableSection>
      ) : (
        filters
      )}
    </div>
  );
};

const Search = ({ integrations, view, onView, about, onSearch }: ListFiltersProps) => {
  const { text } = view;
  // The link of a search fills the field, and the way back empties it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another search is shown.
  useEffect(() => onView({ ...view, text: about ?? '' }), [about]);
  const id = about === undefined ? searchedIdIn(text) : undefined;
  return (
    <form
      className="list-search"
      onSubmit={(event) => {
        event.preventDefault();
        if (id !== undefined && inView(integrations, view).length === 0) onSearch(id);
      }}
    >
      <FormField stretch label="Webhook, or an event, message, contact or call id">
        <Input
          type="search"
          clearAriaLabel="Clear"
          value={text}
          onChange={({ detail }) => {
            onView({ ...view, text: detail.value });
            if (detail.value === '' && about !== undefined) onSearch(undefined);
          }}
        />
      </FormField>
      {id !== undefined && (
        <Button variant="inline-link" formAction="none" onClick={() => onSearch(id)}>
          Find deliveries about {id}
        </Button>
      )}
    </form>
  );
};

const Filters = ({ integrations, view, onView }: ListFiltersProps) => {
  const choice = (label: string, member: keyof ListView, options: SelectProps.Option[]) => (
    <FormField label={label}>
      <Select
        options={options}
        selectedOption={options.find(({ value }) => value === view[member]) ?? options[0] ?? null}
        onChange={({ detail }) => onView({ ...view, [member]: detail.selectedOption.value })}
      />
    </FormField>
  );
  return (
    <>
      {choice('Status', 'status', statusesOf(integrations))}
      {choice('Sort by', 'order', [...ORDERS])}
      {integrations.length > Number(SIZES[0]?.value) && choice('Rows', 'size', SIZES)}
    </>
  );
};
