import { BillingMode, type Table, type TableProps } from 'aws-cdk-lib/aws-dynamodb';

/** Of a table that each event uses: what it costs in units, and what else the table must answer. */
export interface Busyness {
  readonly reads: UnitsOf;
  readonly writes: UnitsOf;
}

interface UnitsOf {
  readonly anEvent: number;
  /** A second, beside the events. */
  readonly least: number;
}

/** Percent of the capacity that is used before there is more of it. */
const UTILISATION = 70;

/** What an AWS account grants a table at first. */
const MOST = 40_000;

/** Units a second that are paid by the hour. */
export const capacityFor = ({ anEvent, least }: UnitsOf, eventsPerSecond: number): number =>
  Math.min(MOST, Math.max(least, Math.ceil((anEvent * eventsPerSecond * 100) / UTILISATION)));

export const capacityProps = (
  busyness: Busyness | undefined,
  eventsPerSecond: number | undefined,
): Pick<TableProps, 'billingMode' | 'readCapacity' | 'writeCapacity'> =>
  busyness === undefined || eventsPerSecond === undefined
    ? { billingMode: BillingMode.PAY_PER_REQUEST }
    : {
        billingMode: BillingMode.PROVISIONED,
        readCapacity: capacityFor(busyness.reads, eventsPerSecond),
        writeCapacity: capacityFor(busyness.writes, eventsPerSecond),
      };

/** Adds capacity while more is used, within minutes, and takes it away again. */
export const scaleCapacity = (
  table: Table,
  { reads, writes }: Busyness,
  eventsPerSecond: number,
): void => {
  const utilisation = { targetUtilizationPercent: UTILISATION };
  const rangeOf = (units: UnitsOf) => ({
    minCapacity: capacityFor(units, eventsPerSecond),
    maxCapacity: MOST,
  });
  table.autoScaleReadCapacity(rangeOf(reads)).scaleOnUtilization(utilisation);
  table.autoScaleWriteCapacity(rangeOf(writes)).scaleOnUtilization(utilisation);
};
