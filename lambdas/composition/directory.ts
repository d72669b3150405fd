import { createDocumentClient } from '../../adapters/aws-clients.ts';
import { DirectoryItems } from '../../adapters/dynamodb/directory-items.ts';
import type { directoryVariables, Parsed } from '../runtime/environment.ts';

/** The items of table Directory, for the adapters of the functions that read and write it. */
export const composeDirectoryItems = (environment: Parsed<typeof directoryVariables>) =>
  new DirectoryItems(createDocumentClient(), environment.DIRECTORY_TABLE);
