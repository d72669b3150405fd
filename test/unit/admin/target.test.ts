import { describe, expect, it } from 'vitest';
import { chooseTarget } from '../../../admin/target.ts';
import { RUN_ENDPOINTS } from '../../support/local/run-endpoints.ts';

const AT_RUN = {
  stage: 'local',
  clientConfig: { endpoint: RUN_ENDPOINTS.aws, region: RUN_ENDPOINTS.region },
};
const IN_AWS = { place: 'AWS', clientConfig: {} };

describe('what the operator’s command line acts on', () => {
  it.each([
    { AWS_REGION: 'eu-central-1' },
    { AWS_PROFILE: 'acme-dev' },
    { AWS_ACCESS_KEY_ID: 'AKIA…' },
    { AWS_WEB_IDENTITY_TOKEN_FILE: '/token' },
  ])('is the embedded run when one is described, whatever the credentials: %o', (environment) => {
    expect(chooseTarget(undefined, environment, RUN_ENDPOINTS)).toMatchObject(AT_RUN);
  });

  it.each([{}, { AWS_PROFILE: 'acme-dev' }])(
    'is nothing, least of all AWS, without a run and without a stage: %o',
    (environment) => {
      expect(() => chooseTarget(undefined, environment, undefined)).toThrow(
        /start one with "npm start", or name a deployed stage with --stage/,
      );
    },
  );

  it.each([RUN_ENDPOINTS, undefined])(
    'is nothing without a stage where AWS_ENDPOINT_URL names another place',
    (run) => {
      const environment = { AWS_ENDPOINT_URL: 'http://127.0.0.1:9999' };
      expect(() => chooseTarget(undefined, environment, run)).toThrow('with --stage, or unset');
    },
  );

  it('is the embedded run when AWS_ENDPOINT_URL is its endpoint', () => {
    const environment = { AWS_ENDPOINT_URL: `${RUN_ENDPOINTS.aws}/`, AWS_ACCESS_KEY_ID: 'test' };
    expect(chooseTarget(undefined, environment, RUN_ENDPOINTS)).toMatchObject(AT_RUN);
  });

  it('is the stage that is asked for, run or not', () => {
    expect(chooseTarget('prod', {}, RUN_ENDPOINTS)).toEqual({ stage: 'prod', ...IN_AWS });
  });

  it('is never AWS for stage local', () => {
    expect(chooseTarget('local', { AWS_PROFILE: 'acme-dev' }, RUN_ENDPOINTS)).toMatchObject(AT_RUN);
    expect(() => chooseTarget('local', { AWS_PROFILE: 'acme-dev' }, undefined)).toThrow(
      'start one with "npm start"',
    );
  });

  it('is a stage at another endpoint that AWS_ENDPOINT_URL names', () => {
    const environment = { AWS_ENDPOINT_URL: 'http://127.0.0.1:9999' };
    expect(chooseTarget('dev', environment, RUN_ENDPOINTS)).toEqual({
      stage: 'dev',
      place: 'http://127.0.0.1:9999',
      clientConfig: {},
    });
  });

  it('is another emulator for stage local when AWS_ENDPOINT_URL names it', () => {
    const environment = { AWS_ENDPOINT_URL: 'http://127.0.0.1:9999' };
    expect(chooseTarget('local', environment, RUN_ENDPOINTS)).toMatchObject({
      stage: 'local',
      place: 'http://127.0.0.1:9999',
      clientConfig: {},
    });
  });
});
