import { type LambdaClient, paginateListEventSourceMappings } from '@aws-sdk/client-lambda';

export interface SourceMapping {
  /** ARN of a queue, or of a table's stream. */
  readonly source: string;
  /** `Enabled`, `Disabled`, or on the way to one of them. */
  readonly state: string;
  /** Of a stream; begins with `PROBLEM` if Lambda could not read it, or the function failed. */
  readonly lastResult: string | undefined;
}

/** Of all functions of the AWS account in this region. */
export const readSourceMappings = async (
  client: LambdaClient,
): Promise<readonly SourceMapping[]> => {
  const mappings: SourceMapping[] = [];
  for await (const { EventSourceMappings = [] } of paginateListEventSourceMappings(
    { client },
    {},
  )) {
    mappings.push(
      ...EventSourceMappings.map((mapping) => ({
        source: mapping.EventSourceArn ?? '',
        state: mapping.State ?? 'unknown',
        lastResult: mapping.LastProcessingResult,
      })),
    );
  }
  return mappings;
};
