import { inFile, type Mutation } from './mutation.ts';

/** Rules of addresses, settings, idempotency, secrets, documents and events. */
export const SETTINGS_MUTATIONS: readonly Mutation[] = [
  ...inFile(
    'core/integration/address-guard.ts',
    ['integration/address-guard'],
    [
      [
        'Only addresses of the public internet are delivered to.',
        "range !== 'unicast' ||",
        "range === 'private' ||",
      ],
      [
        "A cloud's own services are not delivered to.",
        ' || CLOUD_SERVICES.has(parsed.toString())',
        '',
      ],
      [
        'Loopback is refused but on one machine.',
        "if (range === 'loopback') return policy.allowLoopback;",
        "if (range === 'loopback') return true;",
      ],
      [
        'Of IPv6 only what is allocated is delivered to.',
        'parsed.match(GLOBAL_UNICAST_V6)',
        'true',
      ],
      [
        'The name localhost is refused.',
        'isLoopbackName(url.hostname) && !policy.allowLoopback',
        'false',
      ],
      ['A URL begins with https.', '/^https:', '/^https?:'],
      ['A URL has no user information.', "return 'must not carry user information';", ''],
    ],
  ),
  ...inFile(
    'core/integration/settings-of.ts',
    [
      'integration/webhook-address',
      'integration/endpoint-headers',
      'integration/change-integration',
      'lambdas/integrations/change-integration',
    ],
    [
      [
        'A name is refused if one of its addresses is.',
        'addresses.every((address) => isDeliverableAddress',
        'addresses.some((address) => isDeliverableAddress',
      ],
      [
        '[FILTERED] keeps the stored client secret.',
        'clientSecret === FILTERED ? stored?.clientSecret : clientSecret',
        'clientSecret',
      ],
      [
        '[FILTERED] keeps the stored value of a header.',
        'value === FILTERED ? headerNamed(stored?.headers, name) : value',
        'value',
      ],
    ],
  ),
  ...inFile(
    'core/integration/integration-document.ts',
    ['integration/integration-document'],
    [
      [
        'An unknown member is refused.',
        'export const integrationDocument = z\n  .strictObject(',
        'export const integrationDocument = z\n  .looseObject(',
      ],
      [
        'An omitted event type is not sent.',
        'z.boolean().default(false)',
        'z.boolean().default(true)',
      ],
      ['A refused event pauses by default.', ".default('pause')", ".default('continue')"],
    ],
  ),
  ...inFile(
    'core/integration/header-rules.ts',
    ['integration/endpoint-headers'],
    [
      ['There are at most five headers.', 'const MOST = 5;', 'const MOST = 6;'],
      ['The case of a refused header does not matter.', '/^cookie$/i', '/^cookie$/'],
      ['A header is not set twice.', 'const detail = isRepeated', 'const detail = false'],
    ],
  ),
  ...inFile(
    'core/integration/idempotency.ts',
    ['integration/idempotency.test'],
    [
      [
        'A key that is used with another body is refused.',
        'if (record.bodyHash !== bodyHash) throw conflict();',
        '',
      ],
      [
        'The order of members does not make another body.',
        'JSON.stringify(document, inOrder)',
        'JSON.stringify(document)',
      ],
      ['A key is kept for 24 hours.', 'IDEMPOTENCY_HOURS = 24', 'IDEMPOTENCY_HOURS = 23'],
      [
        'A key of a deleted integration makes another.',
        'if (integration === undefined) return { left: record };',
        "if (integration === undefined) throw new Error('gone');",
      ],
    ],
  ),
  ...inFile(
    'core/integration/create-integration.ts',
    ['integration/create-integration', 'integration/idempotency.test'],
    [
      [
        'An account has at most 100 integrations.',
        '< ports.integrationsPerAccount;',
        '<= ports.integrationsPerAccount;',
      ],
      [
        'A repeated creation shows no secret that was replaced.',
        'integration.revision === FIRST_REVISION ? webhookSecret : undefined',
        'webhookSecret',
      ],
    ],
  ),
  ...inFile(
    'core/integration/change-integration.ts',
    ['integration/change-integration'],
    [
      [
        'A change leaves an epoch out for the schedule made before it.',
        'epoch: stored.epoch + 2',
        'epoch: stored.epoch + 1',
      ],
      ['A change ends the trouble.', '{ trouble: _, streak: __, ...stored }', '{ ...stored }'],
    ],
  ),
  ...inFile(
    'core/integration/write-integration.ts',
    ['lambdas/integrations/change-integration'],
    [
      [
        'null in a patch removes a member.',
        'if (value === null) merged.delete(name);',
        'if (value === null) merged.set(name, null);',
      ],
      ['A condition is checked before a write.', 'precondition(stored);', ''],
    ],
  ),
  ...inFile(
    'core/integration/webhook-secrets.ts',
    ['integration/webhook-secrets', 'lambdas/integrations/change-integration'],
    [
      [
        'What follows whsec_ is canonical base64.',
        "CANONICAL_BASE64.test(secret.slice('whsec_'.length))",
        'true',
      ],
      [
        'A switch without an overlap ends the replaced secret.',
        'secret === undefined || overlapSeconds === 0',
        'secret === undefined',
      ],
      ['At most four previous secrets sign.', 'MAX_PREVIOUS = 4', 'MAX_PREVIOUS = 5'],
    ],
  ),
  ...inFile(
    'core/integration/integration-resource.ts',
    ['integration/integration-resource', 'lambdas/integrations/change-integration'],
    [
      [
        'A stored secret is not shown.',
        'newSecret = FILTERED',
        'newSecret = integration.config.webhookSecret.sealed',
      ],
      ['The ETag changes with the settings.', '({ id, revision }', '({ id, epoch: revision }'],
    ],
  ),
  ...inFile(
    'core/integration/shown-address.ts',
    ['changes/changes-between'],
    [
      [
        'Paths and queries, which may hold secrets, are not shown.',
        "pathname + search === '/' ? '' : '…'",
        'pathname.slice(1) + search',
      ],
    ],
  ),
  ...inFile(
    'core/json-ld/cursor.ts',
    ['lambdas/runtime/lists'],
    [
      [
        'A cursor that no page had is refused.',
        'pattern.test(position) && cursorAt(position) === cursor',
        'true',
      ],
    ],
  ),
  ...inFile(
    'core/json-ld/collection.ts',
    ['lambdas/runtime/lists', 'lambdas/deliveries/read-deliveries'],
    [
      [
        'Only a collection on one page is counted.',
        'cursor === undefined && next === undefined',
        'next === undefined',
      ],
    ],
  ),
  ...inFile(
    'core/event/event.ts',
    ['event/events'],
    [
      ['An id of an event has at most 64 characters.', '{1,64}$/', '{1,65}$/'],
      [
        'A leap second is passed on as the last millisecond.',
        ".replace(/:60(\\.\\d+)?(?=[Z+-])/, ':59.999')",
        '',
      ],
    ],
  ),
  ...inFile(
    'core/event/filter-evaluation.ts',
    ['event/event-filter', 'event/filter-evaluation'],
    [
      ['Every field of a filter has to match.', 'if (!isMatch) return false;', ''],
      [
        'One object of a list matches all fields.',
        'value.some((element) =>',
        'value.every((element) =>',
      ],
      [
        'An event whose filter is not evaluated is sent.',
        'return { isSent: true, fault };',
        'return { isSent: false, fault };',
      ],
      [
        'An object has no value.',
        'if (source === undefined) return undefined;',
        'if (source === undefined) return 0;',
      ],
      ['Too much is not compared.', 'if (this.#left < 0)', 'if (false)'],
      ['Long texts cost more.', 'const steps = 1 +', 'const steps = 1; +'],
      ['No value, but for one, is not absent.', 'return isNone && choice.none;', 'return isNone;'],
    ],
  ),
  ...inFile(
    'core/event/json-nesting.ts',
    ['event/events'],
    [['64 levels of nesting are routed.', 'depth > MAX_NESTING', 'depth >= MAX_NESTING']],
  ),
  ...inFile(
    'core/event/exact-json.ts',
    ['event/events'],
    [['Numbers are passed on as they were written.', 'String(value) !== source', 'false']],
  ),
  ...inFile(
    'core/changes/notice-policy.ts',
    ['changes/notice-policy'],
    [
      [
        'There is no reminder of what is inactive no more.',
        'keepsEvents(integration) && remindedAt',
        'remindedAt',
      ],
    ],
  ),
  ...inFile(
    'core/changes/changes-between.ts',
    ['changes/changes-between'],
    [['A trouble that goes on is announced once.', 'if (was?.kind === is.kind) return [];', '']],
  ),
];
