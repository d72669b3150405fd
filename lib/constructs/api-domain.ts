import { Aws, CfnOutput, CfnRule, Fn, Stack } from 'aws-cdk-lib';
import {
  BasePathMapping,
  DomainName,
  EndpointType,
  type RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Construct } from 'constructs';
import type { OwnDomain } from '../deployment-options.ts';

interface ApiDomainProps extends OwnDomain {
  readonly api: RestApi;
}

/** Serves the deployed stage of an API at the root of a domain. */
export class ApiDomain extends Construct {
  constructor(scope: Construct, id: string, { api, name, certificateArn }: ApiDomainProps) {
    super(scope, id);
    const domainName = new DomainName(this, 'Name', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    new BasePathMapping(this, 'Mapping', { domainName, restApi: api, stage: api.deploymentStage });
    this.#requireRegionOf(certificateArn);
    // Where the record of the domain in DNS leads.
    new CfnOutput(Stack.of(this), 'ApiDomainTarget', {
      value: domainName.domainNameAliasDomainName,
    });
  }

  /** A regional domain takes certificates of its own region. CloudFormation checks rules first. */
  #requireRegionOf(certificateArn: string): void {
    const [, , , region = ''] = certificateArn.split(':');
    new CfnRule(this, 'CertificateRegion', {
      assertions: [
        {
          assert: Fn.conditionEquals(Aws.REGION, region),
          assertDescription: `apiCertificateArn is of ${region}, and the stage of another region.`,
        },
      ],
    });
  }
}
