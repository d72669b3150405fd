import Cards from '@cloudscape-design/components/cards';
import Table from '@cloudscape-design/components/table';
import type { ReactNode } from 'react';
import { useIsNarrow } from './is-narrow.ts';

export interface Column<Item> {
  readonly id: string;
  readonly header: string;
  readonly cell: (item: Item) => ReactNode;
  readonly minWidth?: number;
}

interface DataTableProps<Item extends { readonly id: string }> {
  /** Says what the table has, to a screen reader. */
  readonly label: string;
  readonly items: readonly Item[];
  /** The first one names the item. */
  readonly columns: readonly [Column<Item>, ...Column<Item>[]];
  readonly filter?: ReactNode;
  readonly pagination?: ReactNode;
  readonly empty: ReactNode;
}

/** A table; where a table has no room, a card for each row. */
export const DataTable = <Item extends { readonly id: string }>({
  label,
  items,
  columns,
  filter,
  pagination,
  empty,
}: DataTableProps<Item>) => {
  const isNarrow = useIsNarrow();
  const [naming, ...others] = columns;
  if (isNarrow) {
    return (
      <Cards
        items={items}
        trackBy="id"
        ariaLabels={{ itemSelectionLabel: () => '', selectionGroupLabel: '', cardsLabel: label }}
        cardDefinition={{
          header: naming.cell,
          sections: others.map(({ id, header, cell }) => ({
            id,
            header,
            content: cell,
            width: 50,
          })),
        }}
        cardsPerRow={[{ cards: 1 }]}
        filter={filter}
        pagination={pagination}
        empty={empty}
      />
    );
  }
  return (
    <Table
      variant="container"
      items={items}
      trackBy="id"
      ariaLabels={{ tableLabel: label }}
      columnDefinitions={columns.map((column) => ({
        ...column,
        isRowHeader: column === naming,
        verticalAlign: 'middle' as const,
      }))}
      filter={filter}
      pagination={pagination}
      empty={empty}
      wrapLines
    />
  );
};
