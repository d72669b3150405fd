import { Stack } from 'aws-cdk-lib';
import { CfnQueryDefinition, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { LOG_QUERIES, type LogQuery } from './log-queries.ts';
import { ServiceFunction } from './service-function.ts';

/** The maximum of Logs Insights. */
const MOST_GROUPS = 50;

interface SavedQueriesProps {
  /** The folder of Logs Insights where the queries are. */
  readonly folder: string;
  readonly accessLog: ILogGroup;
}

/** The saved queries of docs/operators/logs-and-metrics.md, with the logs that they read. They are free. */
export class SavedQueries extends Construct {
  readonly #functions: ReadonlyMap<string, ServiceFunction>;
  readonly #accessLog: ILogGroup;

  /** Create it after the functions. */
  constructor(scope: Construct, id: string, { folder, accessLog }: SavedQueriesProps) {
    super(scope, id);
    this.#functions = new Map(
      Stack.of(this)
        .node.findAll()
        .filter((found) => found instanceof ServiceFunction)
        .map((found) => [found.name, found]),
    );
    this.#accessLog = accessLog;
    for (const query of LOG_QUERIES) {
      new CfnQueryDefinition(this, query.name, {
        name: `${folder}/${query.name}`,
        queryString: query.text,
        logGroupNames: this.#groupsOf(query).map(({ logGroupName }) => logGroupName),
      });
    }
  }

  #groupsOf({ name, functions, readsAccessLog }: LogQuery): readonly ILogGroup[] {
    const folders = functions === 'all' ? [...this.#functions.keys()] : functions;
    const groups = [
      ...folders.map((folder) => this.#logOf(folder)),
      ...(readsAccessLog ? [this.#accessLog] : []),
    ];
    if (groups.length > MOST_GROUPS) throw new Error(`"${name}" reads ${groups.length} logs.`);
    return groups;
  }

  #logOf(folder: string): ILogGroup {
    const found = this.#functions.get(folder);
    if (!found) throw new Error(`There is no function ${folder}.`);
    return found.lambda.logGroup;
  }
}
