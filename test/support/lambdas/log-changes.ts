/** What the changes of this file are about, unless told otherwise. */
export const OF_CHANGES = {
  integration: '0123456789Ab',
  hour: '2026-11-20T12',
  response: 'an answer of the endpoint',
};

export const anAttemptImage = ({
  outcome = 'delivered',
  trigger = 'event',
  startedAt = '2026-11-20T12:00:00.000Z',
} = {}) => ({
  number: { N: '1' },
  trigger: { S: trigger },
  startedAt: { S: startedAt },
  durationMs: { N: '40' },
  outcome: { S: outcome },
  statusCode: { N: '200' },
  response: { S: OF_CHANGES.response },
});

/** The change of the delivery log that puts a delivery with its first attempt. */
export const aChange = (
  SequenceNumber: string,
  {
    integration = OF_CHANGES.integration,
    entry = `2026-11-20T12:00:00.000Z#evt_${SequenceNumber}`,
    ...attempt
  }: { integration?: string; entry?: string } & Parameters<typeof anAttemptImage>[0] = {},
) => {
  const Keys = { partition: { S: `${integration}#3` }, entry: { S: entry } };
  return {
    eventName: 'INSERT' as const,
    dynamodb: {
      SequenceNumber,
      Keys,
      NewImage: { ...Keys, firstAttempt: { M: anAttemptImage(attempt) } },
    },
  };
};
