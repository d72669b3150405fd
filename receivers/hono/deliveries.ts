interface Delivery {
  readonly id: string;
  readonly action: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const parseDelivery = (rawBody: ArrayBuffer): Delivery | undefined => {
  try {
    const delivery = JSON.parse(new TextDecoder().decode(rawBody));
    return typeof delivery?.id === 'string' ? delivery : undefined;
  } catch {
    return undefined;
  }
};

export const handle = async ({ id, action }: Delivery): Promise<void> => {
  // Your work goes here.
  console.log(`accepted ${id} ${action}`);
};

// Every attempt of a delivery has the same id. In production, use a unique key in your database
// instead of this set, which a restart empties and other instances do not share.
const seen = new Set<string>();

export const isNew = (id: string): boolean => {
  if (seen.has(id)) return false;
  seen.add(id);
  const [oldest] = seen;
  if (seen.size > 10_000 && oldest !== undefined) seen.delete(oldest);
  return true;
};
