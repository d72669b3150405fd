import { buildChangeIntegration, buildDeleteIntegration } from './change-integration.ts';
import { buildCreateIntegration } from './create-integration.ts';
import { buildRotateSecret, buildSwitchSecret } from './rotate-secret.ts';
import { buildPatchIntegration, buildReplaceIntegration } from './write-integration.ts';

/** The ports that a use case is made of. */
export type PortsOf<Build extends (ports: never) => unknown> = Parameters<Build>[0];

type Ports = PortsOf<typeof buildCreateIntegration> &
  PortsOf<typeof buildChangeIntegration> &
  PortsOf<typeof buildDeleteIntegration> &
  Omit<
    PortsOf<typeof buildPatchIntegration> & PortsOf<typeof buildRotateSecret>,
    'changeIntegration'
  >;

/** Composes what callers of the API do to integrations. */
export const buildIntegrationsApi = (ports: Ports) => {
  const changing = { ...ports, changeIntegration: buildChangeIntegration(ports) };
  return {
    createIntegration: buildCreateIntegration(ports),
    replaceIntegration: buildReplaceIntegration(changing),
    patchIntegration: buildPatchIntegration(changing),
    rotateSecret: buildRotateSecret(changing),
    switchSecret: buildSwitchSecret(changing),
    deleteIntegration: buildDeleteIntegration(ports),
  };
};
