import { describe, expect, it } from 'vitest';
import { chooseTarget } from '../../../admin/target.ts';
import { RUN_ENDPOINTS } from '../../support/local/run-endpoints.ts';

const AT_RUN = {
  stage: 'local',
  clientConfig: { endpoint: RUN_ENDPOINTS.aws, region: RUN_ENDPOINTS.region },
};
const IN_AWS = { place: 'AWS', clientConfig: {} };

describe('what the operator’s command line acts on', () => {
  it('is the embedded run when one is described and nothing else is named', () => {
    expect(chooseTarget(undefined, { AWS_REGION: 'eu-central-1' }, RUN_ENDPOINTS)).toMatchObject(
      AT_RUN,
    );
  });

  it('is stage dev in AWS when no run is described', () => {
    expect(chooseTarget(undefined, {}, undefined)).toEqual({ stage: 'dev', ...IN_AWS });
  });

  it.each([
    ['AWS_PROFILE', 'acme-dev'],
    ['AWS_ACCESS_KEY_ID', 'AKIA…'],
    ['AWS_WEB_IDENTITY_TOKEN_FILE', '/token'],
    ['AWS_CONTAINER_CREDENTIALS_FULL_URI', 'http://169.254.170.23'],
  ])('is stage dev in AWS when %s names an account, run or not', (name, value) => {
    expect(chooseTarget(undefined, { [name]: value }, RUN_ENDPOINTS)).toEqual({
      stage: 'dev',
      ...IN_AWS,
    });
  });

  it('is stage dev at another endpoint that AWS_ENDPOINT_URL names', () => {
    const environment = { AWS_ENDPOINT_URL: 'http://127.0.0.1:9999' };
    expect(chooseTarget(undefined, environment, RUN_ENDPOINTS)).toEqual({
      stage: 'dev',
      place: 'http://127.0.0.1:9999',
      clientConfig: {},
    });
  });

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

  it('is another emulator for stage local when AWS_ENDPOINT_URL names it', () => {
    const environment = { AWS_ENDPOINT_URL: 'http://127.0.0.1:9999' };
    expect(chooseTarget('local', environment, RUN_ENDPOINTS)).toMatchObject({
      stage: 'local',
      place: 'http://127.0.0.1:9999',
      clientConfig: {},
    });
  });
});
