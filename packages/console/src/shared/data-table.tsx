import { Box, Cards, KeyValuePairs, Table } from '@cloudscape-design/components';
import type { ReactNode } from 'react';
import { useWidth } from './width.ts';

interface Column<Item> {
  readonly id: string;
  readonly header: string;
  readonly cell: (item: Item) => ReactNode;
  /** In pixels. Its words fit in. */
  readonly minWidth: number;
}

/** The first column names the item. */
export type Columns<Item> = readonly [Column<Item>, ...Column<Item>[]];

interface DataTableProps<Item extends { readonly id: string }> {
  readonly items: readonly Item[];
  readonly columns: Columns<Item>;
  /** The name of the table for screen readers. */
  readonly label: string;
  /** What a card has instead of a name and a value for each column. */
  readonly card?: Record<'header' | 'content', (item: Item) => ReactNode>;
  readonly empty: ReactNode;
}

/** Of the first and the last column, in pixels beyond their width. */
const EDGES = 40;

/** A table, or a card for each row where the columns do not fit. */
export const DataTable = <Item extends { readonly id: string }>(props: DataTableProps<Item>) => {
  const [place, width] = useWidth();
  const needed = props.columns.reduce((sum, { minWidth }) => sum + minWidth, EDGES);
  return (
    <div ref={place}>{width < needed ? <ItemCards {...props} /> : <ItemTable {...props} />}</div>
  );
};

const ItemCards = <Item extends { readonly id: string }>({
  columns: [naming, ...others],
  label,
  card,
  ...parts
}: DataTableProps<Item>) => (
  <Cards
    {...parts}
    trackBy="id"
    ariaLabels={{ itemSelectionLabel: () => '', selectionGroupLabel: '', cardsLabel: label }}
    cardDefinition={{
      header: card?.header ?? naming.cell,
      sections: [
        {
          id: 'others',
          content: card?.content ?? ((item) => <Pairs columns={others} item={item} />),
        },
      ],
    }}
    cardsPerRow={[{ cards: 1 }, { minWidth: 640, cards: 2 }]}
  />
);

const Pairs = <Item,>({ columns, item }: { columns: readonly Column<Item>[]; item: Item }) => (
  <Box padding={{ top: 'xs' }}>
    <KeyValuePairs
      columns={2}
      minColumnWidth={120}
      items={columns.map(({ header, cell }) => ({ label: header, value: cell(item) }))}
    />
  </Box>
);

const ItemTable = <Item extends { readonly id: string }>({
  columns,
  label,
  card: _,
  ...parts
}: DataTableProps<Item>) => (
  <Table
    {...parts}
    variant="container"
    trackBy="id"
    ariaLabels={{ tableLabel: label }}
    columnDefinitions={columns.map((column) => ({
      ...column,
      isRowHeader: column === columns[0],
      verticalAlign: 'middle' as const,
    }))}
    wrapLines
  />
);
