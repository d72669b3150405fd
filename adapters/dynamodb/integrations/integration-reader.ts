import type {
  Integration,
  IntegrationKey,
  IntegrationReader,
} from '../../../core/integration/integration.ts';
import { DynamoDbTable } from '../table/table.ts';

/** Reads table Integrations: key `account`, `id`. `writeId`: see `DynamoDbIntegrationWriter`. */
export class DynamoDbIntegrationReader extends DynamoDbTable implements IntegrationReader {
  async find(account: string, id: string): Promise<Integration | undefined> {
    const item = await this.getItem<IntegrationItem>({ account, id });
    return item && integrationIn(item);
  }

  async findAll(
    keys: readonly IntegrationKey[],
  ): Promise<readonly (Integration | undefined | Error)[]> {
    const plain = keys.map(({ account, id }) => ({ account, id }));
    const items = await this.getItems<IntegrationItem>(plain);
    return items.map((item) => (item instanceof Error ? item : item && integrationIn(item)));
  }
}

export type IntegrationItem = Record<string, unknown>;

export const integrationIn = ({ writeId: _, ...members }: IntegrationItem): Integration =>
  members as unknown as Integration;
