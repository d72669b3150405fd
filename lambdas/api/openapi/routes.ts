import * as createIntegration from '../integrations/create-integration.ts';
import { CHANGE_ROUTES, READ_ROUTES, REFERENCE_ROUTES, SEND_ROUTES } from '../routes.ts';
import type { Route } from '../runtime/route.ts';
import { TAGS } from './introduction.ts';

const TAG_ORDER = Object.keys(TAGS);

/** The documentation begins with the first call that an integrator makes. */
const positionOf = (route: Route): number =>
  route === createIntegration.route ? -1 : TAG_ORDER.indexOf(route.tag);

const byTag = [...READ_ROUTES, ...CHANGE_ROUTES, ...SEND_ROUTES, ...REFERENCE_ROUTES]
  .map(({ route }): Route => route)
  .toSorted((one, other) => positionOf(one) - positionOf(other));

/** Every route of the API, in the order of the documentation: by tag, those of a path together. */
export const ROUTES: readonly Route[] = [...Map.groupBy(byTag, ({ path }) => path).values()].flat();
