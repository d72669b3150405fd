import { describe, expect, it } from 'vitest';
import { formErrors } from '../../../console/src/api/field-errors.ts';
import { ApiProblem } from '../../../console/src/api/problem.ts';

const FIELDS = ['/config/baseUrl', '/config/webhookSecret', '/settings/actions'];

const refusal = (...errors: ApiProblem['errors']) =>
  new ApiProblem(422, { type: 'urn:service:problem:validation', detail: 'Not valid.', errors });

describe('formErrors', () => {
  it('puts each error of the API at its field', () => {
    const error = refusal(
      { pointer: '/config/baseUrl', detail: 'must be an https:// URL' },
      { pointer: '/config/webhookSecret', detail: 'must be 16 to 128 printable ASCII characters' },
    );
    expect(formErrors(error, FIELDS)).toEqual({
      fields: {
        '/config/baseUrl': 'Must be an https:// URL.',
        '/config/webhookSecret': 'Must be 16 to 128 printable ASCII characters.',
      },
      others: [],
    });
  });

  it('puts an error inside of a field at the field, and says where in the field', () => {
    const error = refusal({
      pointer: '/settings/actions/message.lost',
      detail: 'must be one of the eight event types',
    });
    expect(formErrors(error, FIELDS).fields).toEqual({
      '/settings/actions': 'message.lost must be one of the eight event types.',
    });
  });

  it('tells all errors of one field', () => {
    const error = refusal(
      { pointer: '/config/baseUrl', detail: 'must be an https:// URL' },
      { pointer: '/config/baseUrl', detail: 'must be at most 2048 characters' },
    );
    expect(formErrors(error, FIELDS).fields['/config/baseUrl']).toBe(
      'Must be an https:// URL. Must be at most 2048 characters.',
    );
  });

  it('takes no field for one whose name merely begins alike', () => {
    const error = refusal({ pointer: '/config/baseUrls', detail: 'is not known' });
    expect(formErrors(error, FIELDS)).toEqual({
      fields: {},
      others: ['/config/baseUrls is not known.'],
    });
  });

  it('tells beside the form what no field shows', () => {
    const error = refusal(
      { header: 'Idempotency-Key', detail: 'must be printable' },
      { parameter: 'limit', detail: 'must be a number' },
      { pointer: '', detail: 'must be an object' },
    );
    expect(formErrors(error, FIELDS).others).toEqual([
      'Idempotency-Key must be printable.',
      'limit must be a number.',
      'The request must be an object.',
    ]);
  });

  it('tells the detail of a refusal that names no member', () => {
    const quota = new ApiProblem(409, {
      type: 'urn:service:problem:integration-quota',
      detail: 'The account has all the integrations it may have.',
    });
    expect(formErrors(quota, FIELDS)).toEqual({
      fields: {},
      others: ['The account has all the integrations it may have.'],
    });
  });
});
