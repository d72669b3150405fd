import type { Integration } from '../../../core/integration/integration.ts';
import { anIntegration } from '../../support/integration/integrations.ts';
import { type Behaviour, healthy } from './endpoints.ts';
import type { Row } from './rows.ts';

export type Kind = 'healthy' | 'others' | 'flood';

/** Each integration is the only one of its account: routing then has the most to read. */
export const accountOf = (number: number): string => `account${number}`;
const idOf = (number: number): string => `integration${number}`;

const URL_START = 'https://customer.example/';

export const numberAt = (url: string): number => Number(url.slice(URL_START.length));

/**
 * The integrations of a row, by number: the others are the first, the healthy follow, and the flood
 * is the last.
 */
export class Population {
  /** How many there are without the flood. */
  readonly size: number;
  readonly row: Omit<Row, 'name' | 'title'>;
  readonly #others: number;
  readonly #areHealthyAlone: boolean;

  constructor(row: Population['row'], size: number, { healthyAlone = false } = {}) {
    this.row = row;
    this.size = size;
    this.#others = Math.round((row.others?.share ?? 0) * size);
    this.#areHealthyAlone = healthyAlone;
  }

  /** The healthy of the row, without the others and the flood, and without their events. */
  healthyAlone(): Population {
    return new Population(this.row, this.size, { healthyAlone: true });
  }

  kindOf(number: number): Kind {
    if (number === this.size) return 'flood';
    return number < this.#others ? 'others' : 'healthy';
  }

  hasEvents(kind: Kind): boolean {
    return kind === 'healthy' || !(this.#areHealthyAlone || this.row[kind] === undefined);
  }

  behaviourOf(number: number): Behaviour {
    const kind = this.kindOf(number);
    return (kind === 'healthy' ? undefined : this.row[kind]?.behaviour) ?? healthy;
  }

  integrations(): Integration[] {
    return Array.from({ length: this.size + 1 }, (_, number) => this.#integrationOf(number));
  }

  #integrationOf(number: number): Integration {
    const integration = anIntegration({
      account: accountOf(number),
      id: idOf(number),
      config: { baseUrl: `${URL_START}${number}`, webhookSecret: 'a secret of the model' },
    });
    const kind = this.kindOf(number);
    const { onFatalError } = (kind === 'healthy' ? undefined : this.row[kind]) ?? {};
    if (onFatalError === undefined) return integration;
    return { ...integration, settings: { ...integration.settings, onFatalError } };
  }
}
