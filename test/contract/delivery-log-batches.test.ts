import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { LogEntry, LogReading } from '../../core/delivery/delivery-log.ts';
import {
  describeDeliveryLogs,
  pastNoon,
  type WrittenDeliveryLog,
} from '../support/adapters/delivery-logs.ts';
import { anAttempt } from '../support/delivery/attempts.ts';
import { answered } from '../support/delivery/scripted-webhook-endpoint.ts';
import { aDelivery, anEventReference } from '../support/event/platform-events.ts';

const INTEGRATION = aDelivery().integration;

interface Kind {
  /** By its id, which then begins with noon. */
  readonly tellsItsTime: boolean;
  readonly logged: 'nothing' | 'listed' | 'attempted' | 'delivered';
  /** The log is asked about the event with another time than before. */
  readonly isRepeated: boolean;
}

const kind: fc.Arbitrary<Kind> = fc.record({
  tellsItsTime: fc.boolean(),
  logged: fc.constantFrom('nothing', 'listed', 'attempted', 'delivered'),
  isRepeated: fc.boolean(),
});

/** A delivery of each kind, as it was logged and as the log is asked about it. */
const deliveriesOf = (kinds: readonly Kind[]) =>
  kinds.map(({ tellsItsTime, logged, isRepeated }, index) => {
    const id = tellsItsTime ? `evt_01M7WD7TG00123456789ABCDE${index}` : `evt_${index}`;
    const occurredAt = new Date(pastNoon(0).getTime() + index).toISOString();
    const delivery = aDelivery({ event: { ...anEventReference(id), occurredAt } });
    const event = { ...delivery.event, occurredAt: pastNoon(90 + index).toISOString() };
    return { delivery, logged, index, asked: isRepeated ? { ...delivery, event } : delivery };
  });

type Deliveries = ReturnType<typeof deliveriesOf>;

const logAll = async ({ open, log }: WrittenDeliveryLog, deliveries: Deliveries): Promise<void> => {
  const known = deliveries.filter(({ logged }) => logged !== 'nothing');
  await open(...known.map(({ delivery }) => delivery));
  const attempted = known.filter(({ logged }) => logged !== 'listed');
  await log.write(
    attempted.map(({ delivery, logged, index }) => {
      const made = { event: delivery.event, number: index + 1, startedAt: pastNoon(1) };
      const attempt = anAttempt(made, answered(logged === 'delivered' ? 200 : 500));
      return { delivery, attempt, logged: 'listed' };
    }),
  );
};

const refusedEntry = (delivery: Delivery): LogEntry => ({
  delivery,
  attempt: anAttempt({ event: delivery.event, startedAt: pastNoon(2) }, answered(500)),
  logged: 'nothing',
});

const shownIn = (reading: LogReading | Error) => {
  if (reading instanceof Error) return reading;
  const { logged, occurredAt, latestAttempt } = reading;
  return { logged, occurredAt, number: latestAttempt?.number };
};

const expectedOf = ({ delivery, asked, logged, index }: Deliveries[number]) => ({
  logged,
  occurredAt: asked === delivery || logged === 'nothing' ? undefined : delivery.event.occurredAt,
  number: logged === 'nothing' || logged === 'listed' ? undefined : index + 1,
});

/** After an attempt that was refused, and whether it was delivered before. */
const listedOf = ({ delivery, asked, logged }: Deliveries[number]) => [
  (logged === 'nothing' ? asked : delivery).event,
  logged === 'delivered',
];

describeDeliveryLogs((create) => {
  it('keeps the deliveries of a batch apart, whatever it has of each', () =>
    fc.assert(
      fc.asyncProperty(fc.array(kind, { minLength: 2, maxLength: 8 }), async (kinds) => {
        const subject = await create();
        const deliveries = deliveriesOf(kinds);
        await logAll(subject, deliveries);
        const twice = [...deliveries, ...deliveries];
        const readings = await subject.log.read(twice.map(({ asked }) => asked));
        expect(readings.map(shownIn)).toEqual(twice.map(expectedOf));
        await subject.log.write(deliveries.map(({ asked }) => refusedEntry(asked)));
        const page = await subject.reader.newest(INTEGRATION, { filter: {}, limit: 100 });
        const listed = page.deliveries.map(({ event, deliveredAt }) => [event, !!deliveredAt]);
        expect(listed).toHaveLength(deliveries.length);
        expect(listed).toEqual(expect.arrayContaining(deliveries.map(listedOf)));
      }),
      { numRuns: 20 },
    ));
});
