import type { EventReference } from './delivery.ts';

const TEST_EVENT_ID = /^test_[0-9A-Za-z]{20}$/;

/**
 * Whether an event is a sample that was sent as a test. Told by its id: one whose attempt could not
 * be recorded, or that was resent, is one all the same.
 */
export const isTestEvent = ({ id }: EventReference): boolean => TEST_EVENT_ID.test(id);
