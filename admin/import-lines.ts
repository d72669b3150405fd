import * as z from 'zod';
import { buildSetSignature } from '../core/directory/set-signature.ts';
import type { WritableSignatures } from '../core/directory/user.ts';
import {
  requireDistinctNames,
  requireFewLevels,
  requireWholeTexts,
} from '../core/event/readable-json.ts';
import { buildCreateIntegration } from '../core/integration/create-integration.ts';
import type { Integration } from '../core/integration/integration.ts';
import type { Warning } from '../core/integration/integration-resource.ts';
import type { IntegrationLists } from '../core/integration/integration-store.ts';
import type { PortsOf } from '../core/integration/integrations-api.ts';
import { buildSettingsOf } from '../core/integration/settings-of.ts';
import { shownAddress } from '../core/integration/shown-address.ts';
import { parseRequestDocument } from '../core/json-ld/request-document.ts';
import { AdministrationError, type Fault, Refusal } from '../core/refusal.ts';
import { eachOf } from './retry-schedules.ts';

type CreationPorts = PortsOf<typeof buildCreateIntegration>;

interface Ports extends Omit<CreationPorts, 'newWebhookSecret'> {
  readonly integrations: CreationPorts['integrations'] & Pick<IntegrationLists, 'listOf'>;
  readonly signatures: Pick<WritableSignatures, 'has' | 'write'>;
  readonly hasUser: (id: string) => Promise<boolean>;
  /** Throws AdministrationError for an account that cannot have integrations. */
  readonly requireAccount: (name: string) => Promise<unknown>;
}

/** What became of a line or, in a dry run, would. What `exists` is left as it is. */
export interface ImportedLine {
  readonly line: number;
  readonly result: 'added' | 'exists' | 'failed';
  readonly user?: string;
  readonly account?: string;
  /** The id; absent in a dry run. */
  readonly integration?: string;
  /** Without path and query. */
  readonly address?: string;
  readonly warnings?: readonly Warning[];
  /** Why it failed. */
  readonly detail?: string;
  readonly errors?: readonly Fault[];
}

type Imported = Omit<ImportedLine, 'line'>;

export type ImportLines = (
  text: string,
  options: { dryRun: boolean },
) => Promise<readonly ImportedLine[]>;

/**
 * Adds an integration or a signature for each line that has none yet. Nothing that exists is changed,
 * so the import can be repeated. A wrong line fails alone. The lines of one account are imported one
 * after the other, the accounts together.
 */
export const buildImportLines =
  (ports: Ports): ImportLines =>
  async (text, { dryRun }) => {
    const lines = text.split('\n').flatMap((json, index) => {
      return json.trim() === '' ? [] : [readLine(json, index + 1)];
    });
    const importing = buildImportLine(dryRun ? withoutWriting(ports) : ports);
    const groups = [...Map.groupBy(lines, ({ owner }) => owner).values()];
    const imported = await eachOf(groups, async (group) => {
      const results: ImportedLine[] = [];
      for (const one of group) results.push({ line: one.line, ...(await importing(one)) });
      return results;
    });
    return imported.flat().toSorted((one, other) => one.line - other.line);
  };

interface ReadLine {
  readonly line: number;
  /** The account, or the user of a signature. */
  readonly owner: string;
  readonly content:
    | { readonly kind: 'integration' | 'signature'; readonly document: unknown }
    | { readonly kind: 'unreadable'; readonly refusal: Refusal };
}

const integrationLine = z.looseObject({ account: z.string() });

const signatureLine = z.looseObject({
  id: z
    .string()
    // As in an answer: below the path that the API is served at, if any.
    .regex(
      /^(?:\/[^/]+)*\/users\/[A-Za-z0-9_-]{1,64}\/signature$/,
      'must be /users/<user>/signature',
    ),
});

const readLine = (json: string, line: number): ReadLine => {
  try {
    const document = parsed(json);
    if (z.looseObject({ '@type': z.literal('Signature') }).safeParse(document).success) {
      const { id } = parseRequestDocument(signatureLine, document, { name: 'Signature' });
      const owner = id.split('/').at(-2) ?? '';
      return { line, owner, content: { kind: 'signature', document } };
    }
    const { account: owner, ...rest } = parseRequestDocument(integrationLine, document, {
      name: 'Integration with its account',
    });
    return { line, owner, content: { kind: 'integration', document: rest } };
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return { line, owner: '', content: { kind: 'unreadable', refusal } };
  }
};

/** The parser's own message would show the text, which has secrets. */
const parsed = (json: string): unknown => {
  requireFewLevels(json);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new Refusal('malformed-json', 'It is not one JSON document.');
  }
  requireDistinctNames(json);
  requireWholeTexts(value);
  return value;
};

const buildImportLine = (ports: Ports) => {
  const addIntegration = buildAddIntegration(ports);
  const addSignature = buildAddSignature(ports);
  return async ({ line, owner, content }: ReadLine): Promise<Imported> => {
    try {
      if (content.kind === 'unreadable') throw content.refusal;
      return content.kind === 'signature'
        ? await addSignature(owner, content.document, line)
        : await addIntegration(owner, content.document, line);
    } catch (fault) {
      if (fault instanceof Refusal) {
        return { result: 'failed', detail: fault.message, errors: fault.faults };
      }
      if (fault instanceof AdministrationError) return { result: 'failed', detail: fault.message };
      throw fault;
    }
  };
};

const buildAddIntegration = (ports: Ports) => {
  const settingsOf = buildSettingsOf(ports);
  const createIntegration = buildCreateIntegration({
    ...ports,
    // Receivers of a moved customer know the secret already.
    newWebhookSecret: () => {
      throw new Refusal('validation', 'The line has no secret.', [
        { pointer: '/config/webhookSecret', detail: 'is required' },
      ]);
    },
  });
  const requireAccount = once(ports.requireAccount);
  const storedOf = once((account) => ports.integrations.listOf(account));
  const requireFirst = firstOfFile('account, address and description');
  return async (account: string, document: unknown, line: number): Promise<Imported> => {
    await requireAccount(account);
    const { settings } = await settingsOf(document);
    const place = placeOf(settings);
    requireFirst(`${account} ${place}`, line);
    const existing = (await storedOf(account)).find((stored) => placeOf(stored) === place);
    if (existing !== undefined) return { result: 'exists', ...shown(existing) };
    const by = { kind: 'operator' } as const;
    const { integration, warnings } = await createIntegration({ account, by, document });
    return { result: 'added', ...shown(integration), ...(warnings.length > 0 && { warnings }) };
  };
};

/** What two integrations of one account differ in. */
const placeOf = ({
  config,
  description = '',
}: Pick<Integration, 'description'> & { readonly config: { readonly baseUrl: string } }): string =>
  `${config.baseUrl} ${description}`;

const shown = ({ account, id, config }: Integration) => ({
  account,
  ...(id !== NO_ID && { integration: id }),
  address: shownAddress(config.baseUrl),
});

const buildAddSignature = (ports: Ports) => {
  const setSignature = buildSetSignature(ports);
  const requireFirst = firstOfFile('user');
  return async (user: string, document: unknown, line: number): Promise<Imported> => {
    requireFirst(user, line);
    if (await ports.signatures.has(user)) return { result: 'exists', user };
    const { content } = await setSignature(user, document);
    return { result: content === '' ? 'exists' : 'added', user };
  };
};

/** Of two such lines, only the first would be imported: the second is a mistake. */
const firstOfFile = (same: string) => {
  const lines = new Map<string, number>();
  return (place: string, line: number): void => {
    const earlier = lines.get(place);
    if (earlier !== undefined) {
      throw new AdministrationError(`Line ${earlier} has the same ${same}.`);
    }
    lines.set(place, line);
  };
};

/** Asks once for each key. */
const once = <Value>(ask: (key: string) => Promise<Value>) => {
  const asked = new Map<string, Promise<Value>>();
  return (key: string): Promise<Value> => {
    const answer = asked.get(key) ?? ask(key);
    asked.set(key, answer);
    return answer;
  };
};

/** In a dry run. */
const NO_ID = '';

/** The same checks over ports that read alone. */
const withoutWriting = (ports: Ports): Ports => {
  const { integrations, signatures, hasUser } = ports;
  const added = new Map<string, number>();
  return {
    ...ports,
    integrations: {
      find: (account, id) => integrations.find(account, id),
      listOf: (account) => integrations.listOf(account),
      countOf: async (account) => (await integrations.countOf(account)) + (added.get(account) ?? 0),
      add: async ({ account }) => {
        added.set(account, (added.get(account) ?? 0) + 1);
        return 'added';
      },
    },
    newIntegrationId: () => NO_ID,
    secrets: { seal: async () => ({ format: 1, keyPair: '', sealed: '' }) },
    signatures: {
      has: (user) => signatures.has(user),
      write: async (user) => ((await hasUser(user)) ? 'written' : 'no-user'),
    },
  };
};
