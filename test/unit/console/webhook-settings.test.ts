import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presentEventTypes } from '../../../core/event/event-type-resource.ts';
import type { IntegrationResource } from '../../../core/integration/integration-resource.ts';
import recordings from '../../../lambdas/api/openapi/recorded-examples.json' with { type: 'json' };
import { formErrors } from '../../../packages/console/src/api/field-errors.ts';
import { ApiProblem } from '../../../packages/console/src/api/problem.ts';
import { jsonFault } from '../../../packages/console/src/shared/json-fault.ts';
import {
  changesOf,
  draftOf,
  filterOutcome,
  isDeaf,
  labelsOf,
  NEW_WEBHOOK,
  refuseFaults,
  repeatedHeader,
  settingsOf,
} from '../../../packages/console/src/shared/webhook-draft.ts';

const readIntegration = recordings.getIntegration.active as IntegrationResource;

describe('a new webhook', () => {
  it('receives message.delivered and message.received', () => {
    expect(settingsOf({ ...NEW_WEBHOOK, baseUrl: 'https://hooks.example.com/in' })).toEqual({
      active: true,
      config: { baseUrl: 'https://hooks.example.com/in', headers: {} },
      settings: {
        actions: { 'message.delivered': true, 'message.received': true },
        onFatalError: 'pause',
      },
    });
  });

  it('has the secret that was typed, without the white space around it', () => {
    const settings = settingsOf({
      ...NEW_WEBHOOK,
      baseUrl: ' https://hooks.example.com/in\n',
      secret: ' a secret of my own ',
    });
    expect(settings.config).toEqual({
      baseUrl: 'https://hooks.example.com/in',
      webhookSecret: 'a secret of my own',
      headers: {},
    });
  });
});

describe('the headers and the description of a webhook', () => {
  const typed = (name: string, value: string) => ({ name, value, isStored: false });
  const read = {
    ...readIntegration,
    description: 'Orders',
    config: {
      ...readIntegration.config,
      headers: { 'X-Api-Key': '[FILTERED]', 'X-Tenant': '[FILTERED]' },
    } as const,
  };
  const draft = draftOf(read);
  const [key, tenant] = draft.headers;
  if (!key || !tenant) throw new Error('Two headers are needed.');

  it('are created without white space around them and without empty rows', () => {
    const headers = [typed(' X-Api-Key', 'a key\n'), typed('', ' ')];
    const settings = settingsOf({ ...NEW_WEBHOOK, description: ' Orders ', headers });
    expect(settings).toMatchObject({
      description: 'Orders',
      config: { headers: { 'X-Api-Key': 'a key' } },
    });
  });

  it('are sent as they are where they are wrong, for the API to refuse', () => {
    const headers = [typed('X-Key:', 'a\r\n b'), typed('X-Kéy', '')];
    expect(settingsOf({ ...NEW_WEBHOOK, headers }).config.headers).toEqual({
      'X-Key:': 'a\r\n b',
      'X-Kéy': '',
    });
  });

  it('are read without values', () => {
    expect(draft.headers).toEqual([
      { name: 'X-Api-Key', value: '', isStored: true },
      { name: 'X-Tenant', value: '', isStored: true },
    ]);
    expect(changesOf(draft, read)).toEqual({});
  });

  it.each([
    ['another value', [{ ...key, value: 'new' }, tenant], { 'X-Api-Key': 'new' }],
    ['a removal', [tenant], { 'X-Api-Key': null }],
    ['an addition', [key, tenant, typed('X-More', 'more')], { 'X-More': 'more' }],
    [
      'a removal and an addition of one name',
      [tenant, typed('X-Api-Key', 'new')],
      { 'X-Api-Key': 'new' },
    ],
  ])('are changed by %s alone', (_, headers, changed) => {
    expect(changesOf({ ...draft, headers }, read)).toEqual({ config: { headers: changed } });
  });

  it('are removed when they are cleared', () => {
    expect(changesOf({ ...draft, description: ' ', headers: [] }, read)).toEqual({
      description: null,
      config: { headers: { 'X-Api-Key': null, 'X-Tenant': null } },
    });
  });

  it('name the header that is there twice', () => {
    expect(repeatedHeader(draft)).toBeUndefined();
    expect(repeatedHeader({ headers: [key, typed(' X-Api-Key', 'x')] })).toBe('X-Api-Key');
  });
});

describe('the filter of a webhook', () => {
  const filter = { message: { to: ['+13035550199', null], direction: ['in'] } };
  const read = { ...readIntegration, settings: { ...readIntegration.settings, filter } };
  const draft = draftOf(read);
  const changed = (text: unknown) =>
    changesOf({ ...draft, filter: typeof text === 'string' ? text : JSON.stringify(text) }, read);

  it('is shown as JSON, and unchanged', () => {
    expect(JSON.parse(draft.filter)).toEqual(filter);
    expect(changesOf(draft, read)).toEqual({});
  });

  it.each([
    ['cleared', ' ', null],
    [
      'with another value',
      { message: { to: ['x'], direction: ['in'] } },
      { message: { to: ['x'] } },
    ],
    ['with a field less', { message: { to: filter.message.to } }, { message: { direction: null } }],
    ['with another field', { ...filter, contact: { id: ['c'] } }, { contact: { id: ['c'] } }],
    ['not JSON, for the API to refuse', '{', '{'],
  ])('is saved %s', (_, text, patch) => {
    expect(changed(text)).toEqual({ settings: { filter: patch } });
  });

  const types = presentEventTypes().member;
  const actions = { 'message.received': true, 'contact.created': true };
  const typed = (text: string) => filterOutcome({ filter: text, actions }, types);

  it.each([
    [
      '{"message":{"to":["+447700900123"]}}',
      { warnings: [], sent: ['message.received'], others: ['contact.created'] },
    ],
    ['{}', { warnings: [], sent: ['message.received', 'contact.created'], others: [] }],
    [
      '{"detail":{"message":{"to":["x"]}}}',
      {
        warnings: [
          'detail is a name that no subscribed event type has here; they have contact, message; a filter begins below `data`.',
        ],
        sent: [],
        others: ['message.received', 'contact.created'],
      },
    ],
    [
      '[{"message":{"to":["x"]}}]',
      {
        fault:
          'It is a list, and must be an object, such as { "message": { "direction": ["in"] } }.',
      },
    ],
    [
      '{"message":{"to":"x"}}',
      { fault: 'message › to must be a list of values, such as ["in"], or an object.' },
    ],
  ])('tells, typed as %s, which chosen types it can send, or its fault', (text, outcome) => {
    expect(typed(text)).toMatchObject(outcome);
  });

  it.each([
    ['', 'is not JSON: it ends too early'],
    ['{ "a": ["x"]', 'is not JSON: it ends too early'],
    ['{\n  “message”: {}\n}', 'is not JSON: line 2, column 3 has “ instead of a straight "'],
    ["{'a': ['x']}", 'is not JSON: line 1, column 2 has \' instead of a straight "'],
    ['{"a": ["x"],\n}', 'is not JSON: line 1, column 12 has a comma after the last value'],
    ['{"a": ["x",]}', 'is not JSON: line 1, column 11 has a comma after the last value'],
    ['{"a" ["x"]}', 'is not JSON: line 1, column 6 has something unexpected'],
    [
      '{\n\u00a0"a": ["x"]}',
      'is not JSON: line 2, column 1 has white space that JSON does not know',
    ],
    [
      '{"a": ["x"]}\u00a0',
      'is not JSON: line 1, column 13 has white space that JSON does not know',
    ],
    ['\ufeff{"a": ["x"]}', 'is not JSON: line 1, column 1 has white space that JSON does not know'],
    ['{"a":[1],\n "b":{"a":[2],"a":[3]}}', 'has "a" twice: the second is at line 2, column 15'],
    ['['.repeat(100_000), 'is nested more than 64 levels deep'],
    ['{"a": ["“x”"]}', undefined],
  ])('tells what of %j is not JSON, and where', (text, fault) => {
    expect(jsonFault(text)).toBe(fault);
  });

  it('is not JSON exactly where a parser refuses it', () => {
    const part = fc.constantFrom(
      ...'{}[]:,"\\\t\u00a0\u0000 01e-.+/*tnu'.split(''),
      '"a"',
      'true',
      'NaN',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        const parse = () => JSON.parse(text);
        if (jsonFault(text)?.startsWith('is not JSON')) expect(parse).toThrow();
        else expect(parse).not.toThrow();
      }),
    );
  });

  it.each([
    ['{', /JSON/],
    // A merge patch would remove the field instead.
    ['{"message":{"to":null}}', /message › to/],
  ])('is not saved as %s', (text, fault) => {
    const error = { pointer: '/settings/filter', detail: expect.stringMatching(fault) };
    expect(() => refuseFaults({ ...draft, filter: text })).toThrow(
      expect.objectContaining({ errors: [error] }),
    );
  });

  it.each(['', ' ', '{"message":{"to":["x"]}}'])('may be %j', (text) => {
    expect(() => refuseFaults({ ...draft, filter: text })).not.toThrow();
  });
});

describe('a form that is not sent', () => {
  const draft = { ...NEW_WEBHOOK, baseUrl: 'https://hooks.example.com' };

  it.each(['', ' ', 'hooks.example.com', 'https://', '/hooks'])(
    'asks for the address of the endpoint: %j',
    (baseUrl) => {
      const detail = 'Enter the https:// address of your endpoint.';
      expect(() => refuseFaults({ ...draft, baseUrl })).toThrow(
        expect.objectContaining({ errors: [{ pointer: '/config/baseUrl', detail }] }),
      );
    },
  );

  it('refuses a name that the document of a webhook cannot have, beside its header', () => {
    const headers = [{ name: '__proto__ ', value: 'x', isStored: false }];
    const pointer = '/config/headers/__proto__';
    expect(() => refuseFaults({ ...draft, headers })).toThrow(
      expect.objectContaining({ errors: [{ pointer, detail: 'must have another name' }] }),
    );
    expect(labelsOf({ headers })).toHaveProperty([pointer]);
  });
});

describe('an error of one header', () => {
  it('is beside that header, and beside no other', () => {
    const named = (name: string) => ({ name, value: 'x', isStored: false });
    const errors = [{ pointer: '/config/headers/a~1b', detail: 'must be printable' }];
    const labels = labelsOf({ headers: [named('X-Api-Key'), named('a/b')] });

    const { fields, all } = formErrors(new ApiProblem(422, { errors }), labels);

    expect(fields).toEqual({ '/config/headers/a~1b': 'Must be printable.' });
    expect(all).toEqual(['Your own headers a/b: Must be printable.']);
  });
});

describe('a webhook without any event', () => {
  it('would receive nothing', () => {
    expect(isDeaf({ 'message.received': false })).toBe(true);
    expect(isDeaf(NEW_WEBHOOK.actions)).toBe(false);
  });
});

describe('a changed webhook', () => {
  const draft = draftOf(readIntegration);

  it('has no changes as it was read', () => {
    expect(changesOf(draft, readIntegration)).toEqual({});
  });

  it('sends the settings that differ and no others', () => {
    const changed = { ...draft, actions: { ...draft.actions, 'contact.created': true } };
    expect(changesOf(changed, readIntegration)).toEqual({
      settings: { actions: { 'contact.created': true } },
    });
    expect(changesOf({ ...draft, onFatalError: 'continue' }, readIntegration)).toEqual({
      settings: { onFatalError: 'continue' },
    });
    expect(changesOf({ ...draft, whileInactive: 'keep' }, readIntegration)).toEqual({
      settings: { whileInactive: 'keep' },
    });
    expect(changesOf({ ...draft, baseUrl: 'https://b.example.com' }, readIntegration)).toEqual({
      config: { baseUrl: 'https://b.example.com' },
    });
  });
});
