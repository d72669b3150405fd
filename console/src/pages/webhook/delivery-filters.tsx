import { Button, Input, SegmentedControl, Select, Token } from '@cloudscape-design/components';
import { useState } from 'react';
import { EVENT_TYPES } from '../../api/resources.ts';
import { spanInWords } from './chart.ts';
import { OUTCOME_WORDS } from './outcome.ts';
import { useWebhookSearch } from './use-webhook-search.ts';
import { eventIdIn, isFiltered, NO_FILTERS, OUTCOMES, PERIODS } from './webhook-search.ts';

const OUTCOME_OPTIONS = [
  { id: 'all', text: 'All' },
  ...OUTCOMES.map((outcome) => ({ id: outcome, text: OUTCOME_WORDS[outcome] })),
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
          change({ outcome: OUTCOMES.find((outcome) => outcome === detail.selectedId) })
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
      <EventSearch />
      {isFiltered(search) && (
        <Button variant="inline-link" onClick={() => change(NO_FILTERS)}>
          Clear filters
        </Button>
      )}
    </div>
  );
};

/** Opens the delivery of an event by its id, or by the `webhook-id` that the receiver got. */
const EventSearch = () => {
  const [, change] = useWebhookSearch();
  const [text, setText] = useState('');
  const [isRefused, setIsRefused] = useState(false);
  return (
    <form
      className="event-search"
      onSubmit={(event) => {
        event.preventDefault();
        const id = eventIdIn(text);
        setIsRefused(id === undefined);
        if (id !== undefined) change({ event: id });
      }}
    >
      <Input
        type="search"
        ariaLabel="Find by event id"
        placeholder="Event id, then Enter"
        clearAriaLabel="Clear"
        value={text}
        invalid={isRefused}
        onChange={({ detail }) => {
          setText(detail.value);
          setIsRefused(false);
        }}
      />
      <span className="visually-hidden" role="status">
        {isRefused ? 'That is no event id.' : ''}
      </span>
    </form>
  );
};
