import { Button, FormField, Select, Token } from '@cloudscape-design/components';
import { EVENT_TYPES } from '../../api/resources.ts';
import { IdSearch } from '../../shared/id-search.tsx';
import { OUTCOME_WORDS } from '../../shared/outcome.ts';
import { spanInWords } from './chart.ts';
import { useWebhookSearch } from './use-webhook-search.ts';
import { isFiltered, NO_FILTERS, OUTCOME_FILTERS, PERIODS } from './webhook-search.ts';

const WORDS = { ...OUTCOME_WORDS, undelivered: 'Not delivered' };

const ALL_OUTCOMES = { value: '', label: 'All outcomes' };
const OUTCOME_OPTIONS = [
  ALL_OUTCOMES,
  ...OUTCOME_FILTERS.map((outcome) => ({ value: outcome, label: WORDS[outcome] })),
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
      <FormField label="Outcome">
        <Select
          options={OUTCOME_OPTIONS}
          selectedOption={
            OUTCOME_OPTIONS.find(({ value }) => value === search.outcome) ?? ALL_OUTCOMES
          }
          onChange={({ detail }) =>
            change({
              outcome: OUTCOME_FILTERS.find((outcome) => outcome === detail.selectedOption.value),
            })
          }
        />
      </FormField>
      <FormField label="Event type">
        <Select
          options={TYPE_OPTIONS}
          selectedOption={TYPE_OPTIONS.find(({ value }) => value === search.type) ?? ALL_TYPES}
          onChange={({ detail }) =>
            change({ type: EVENT_TYPES.find((type) => type === detail.selectedOption.value) })
          }
        />
      </FormField>
      <FormField label="Time">
        {search.since === undefined && search.until === undefined ? (
          <Select
            options={PERIOD_OPTIONS}
            selectedOption={
              PERIOD_OPTIONS.find(({ value }) => value === search.within) ?? ALL_TIMES
            }
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
      </FormField>
      <IdSearch about={search.about} onSearch={(about) => change({ about })} />
      {isFiltered(search) && (
        <div className="beside-field">
          <Button variant="inline-link" onClick={() => change(NO_FILTERS)}>
            Clear filters
          </Button>
        </div>
      )}
    </div>
  );
};
