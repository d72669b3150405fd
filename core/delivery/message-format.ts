import * as z from 'zod';

/** Grows when the version before would misread a message, not with a member it may ignore. */
const FORMAT = 1;

/** A message that no version of the service can have written. The text names the wrong members. */
export class UnreadableMessage extends Error {
  override readonly name = 'UnreadableMessage';
}

/** A record of a table's stream that the service cannot have caused. The text names the members. */
export class UnreadableChange extends Error {
  override readonly name = 'UnreadableChange';
}

/** Of a later version, deployed or rolled back. The message stays until a version reads it. */
export class LaterFormat extends Error {
  override readonly name = 'LaterFormat';

  constructor(format: number) {
    super(`the message has format ${format}, and this version reads up to ${FORMAT}`);
  }
}

export const messageText = (members: object): string =>
  JSON.stringify({ format: FORMAT, ...members });

const formatSchema = z.object({ format: z.number() });

/** The members of a message. Throws `UnreadableMessage` and `LaterFormat`. */
export const parseMessageText = <Shape extends z.ZodRawShape>(
  text: string,
  members: z.ZodObject<Shape>,
): z.output<z.ZodObject<Shape>> => {
  const message = fromJson(text);
  const { data } = formatSchema.safeParse(message);
  if (data !== undefined && data.format > FORMAT) throw new LaterFormat(data.format);
  const parsed = members.safeParse(message);
  if (parsed.success && data?.format === FORMAT) return parsed.data;
  const names = [
    ...(data?.format === FORMAT ? [] : ['format']),
    ...(parsed.error?.issues ?? []).map(({ path }) => path.join('.') || 'the message'),
  ];
  throw new UnreadableMessage(`missing or wrong: ${names.join(', ')}`);
};

const fromJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableMessage('the message is not JSON');
  }
};
