import { Button, Input, SegmentedControl, Select, Token } from '@cloudscape-design/components';
import { useEffect, useState } from 'react';
import { EVENT_TYPES } from '../../api/resources.ts';
import { spanInWords } from './chart.ts';
import { OUTCOME_WORDS } from './outcome.ts';
import { useWebhookSearch } from './use-webhook-search.ts';
import {
  eventIdIn,
  isFiltered,
  NO_FILTERS,
  OUTCOME_FILTERS,
  PERIODS,
  subjectIn,
} from './webhook-search.ts';

const WORDS = { ...OUTCOME_WORDS, undelivered: 'Not delivered' };

const OUTCOME_OPTIONS = [
  { id: 'all', text: 'All' },
  ...OUTCOME_FILTERS.map((outcome) => ({ id: outcome, text: WORDS[outcome] })),
];

const ALL_TYPES = { value: '', label: 'All events' };
const TYPE_OPTIONS = [ALL_TYPES, ...EVENT_TYPES.map((type) => ({ value: type, label: type }))];

const ALL_TIMES = { value: '', label: 'Any time' };
const PERIOD_OPTIONS = [
  ALL_TIMES,
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
];

export const DeliveryFilters = () => {
  const [search, change] = useWebhookSearch();
  return (
    <div className="filters">
      <SegmentedControl
        label="Outcome"
        options={OUTCOME_OPTIONS}
        selectedId={search.outcome ?? 'all'}
        onChange={({ detail }) =>
          change({ outcome: OUTCOME_FILTERS.find((outcome) => outcome === detail.selectedId) })
        }
      />
      <Select
        ariaLabel="Event type"
        options={TYPE_OPTIONS}
        selectedOption={TYPE_OPTIONS.find(({ value }) => value === search.type) ?? ALL_TYPES}
        onChange={({ detail }) =>
          change({ type: EVENT_TYPES.find((type) => type === detail.selectedOption.value) })
        }
      />
      {search.since === undefined && search.until === undefined ? (
        <Select
          ariaLabel="Time"
          options={PERIOD_OPTIONS}
          selectedOption={PERIOD_OPTIONS.find(({ value }) => value === search.within) ?? ALL_TIMES}
          onChange={({ detail }) =>
            change({ within: PERIODS.find((period) => period === detail.selectedOption.value) })
          }
        />
      ) : (
        <Token
          label={spanInWords(search.since, search.until)}
          dismissLabel="Any time"
          onDismiss={() => change({ since: undefined, until: undefined })}
        />
      )}
      <SubjectSearch />
      <EventSearch />
      {isFiltered(search) && (
        <Button variant="inline-link" onClick={() => change(NO_FILTERS)}>
          Clear filters
        </Button>
      )}
    </div>
  );
};

/** Lists the deliveries about a message, contact or call. Without an id it lists all again. */
const SubjectSearch = () => {
  const [{ about = '' }, change] = useWebhookSearch();
  return (
    <SearchField
      label="Message, contact or call id"
      placeholder="Its id, then Enter"
      value={about}
      refusal="That is longer than an id."
      search={(text) => {
        const id = subjectIn(text);
        if (id === undefined && text.trim() !== '') return false;
        change({ about: id });
        return true;
      }}
      clear={() => about !== '' && change({ about: undefined })}
    />
  );
};

/** Opens the delivery of an event by its id, or by the `webhook-id` that the receiver got. */
const EventSearch = () => {
  const [, change] = useWebhookSearch();
  return (
    <SearchField
      label="Find by event id"
      placeholder="Event id, then Enter"
      refusal="That is no event id."
      search={(text) => {
        const id = eventIdIn(text);
        if (id !== undefined) change({ event: id });
        return id !== undefined;
      }}
    />
  );
};

interface FieldProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly refusal: string;
  /** Returns false if it refuses the text. */
  readonly search: (text: string) => boolean;
  readonly clear?: () => void;
}

const SearchField = ({ label, placeholder = label, value = '', ...field }: FieldProps) => {
  const [text, setText] = useState(value);
  const [isRefused, setIsRefused] = useState(false);
  useEffect(() => setText(value), [value]);
  return (
    <form
      className="delivery-search"
      onSubmit={(event) => {
        event.preventDefault();
        setIsRefused(!field.search(text));
      }}
    >
      <Input
        type="search"
        ariaLabel={label}
        placeholder={placeholder}
        clearAriaLabel="Clear"
        value={text}
        invalid={isRefused}
        onChange={({ detail }) => {
          setText(detail.value);
          setIsRefused(false);
          if (detail.value === '') field.clear?.();
        }}
      />
      <span className="visually-hidden" role="status">
        {isRefused ? field.refusal : ''}
      </span>
    </form>
  );
};
