import { Cards, Table } from '@cloudscape-design/components';
import { type ReactNode, useSyncExternalStore } from 'react';

interface Column<Item> {
  readonly id: string;
  readonly header: string;
  readonly cell: (item: Item) => ReactNode;
  readonly minWidth?: number;
}

/** The first column names the item. */
export type Columns<Item> = readonly [Column<Item>, ...Column<Item>[]];

interface DataTableProps<Item extends { readonly id: string }> {
  readonly items: readonly Item[];
  readonly columns: Columns<Item>;
  /** The name of the table for screen readers. */
  readonly label: string;
  readonly filter?: ReactNode;
  readonly pagination?: ReactNode;
  readonly empty: ReactNode;
}

const narrow = window.matchMedia('(max-width: 688px)');

const onNarrow = (listener: () => void): (() => void) => {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
};

/** Whether the window is too narrow for a table. */
export const useIsNarrow = (): boolean => useSyncExternalStore(onNarrow, () => narrow.matches);

/** A table, or in a narrow window a card for each row. */
export const DataTable = <Item extends { readonly id: string }>({
  columns,
  label,
  ...parts
}: DataTableProps<Item>) => {
  const isNarrow = useIsNarrow();
  const [naming, ...others] = columns;
  if (isNarrow) {
    return (
      <Cards
        {...parts}
        trackBy="id"
        ariaLabels={{ itemSelectionLabel: () => '', selectionGroupLabel: '', cardsLabel: label }}
        cardDefinition={{
          header: naming.cell,
          sections: others.map(({ cell, ...column }) => ({ ...column, content: cell, width: 50 })),
        }}
        cardsPerRow={[{ cards: 1 }]}
      />
    );
  }
  return (
    <Table
      {...parts}
      variant="container"
      trackBy="id"
      ariaLabels={{ tableLabel: label }}
      columnDefinitions={columns.map((column) => ({
        ...column,
        isRowHeader: column === naming,
        verticalAlign: 'middle' as const,
      }))}
      wrapLines
    />
  );
};
