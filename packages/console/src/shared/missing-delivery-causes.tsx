import type { EventType, Integration } from '../api/resources.ts';
import { causesIn } from './missing-delivery.ts';

interface CausesProps {
  readonly integrations: readonly Integration[];
  readonly type?: EventType | undefined;
  readonly until?: string | undefined;
}

/** Why events may have no delivery, as far as the settings tell. */
export const MissingDeliveryCauses = ({ integrations, type, until }: CausesProps) =>
  causesIn(integrations, { type, until, now: new Date() }).map((cause) => (
    <div key={cause}>{cause}</div>
  ));
