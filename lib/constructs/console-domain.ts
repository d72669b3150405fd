/** A name of one's own for the web console, instead of CloudFront's. */
export interface ConsoleDomain {
  readonly name: string;
  /** Of a certificate of ACM for the name: CloudFront takes those of us-east-1. */
  readonly certificateArn: string;
}

const NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/;
const CERTIFICATE = /^arn:aws[\w-]*:acm:us-east-1:\d{12}:certificate\/[\w-]+$/;

/** As the command line has them: both or neither. Throws when they are not what they must be. */
export const consoleDomainOf = (
  name: unknown,
  certificateArn: unknown,
): ConsoleDomain | undefined => {
  if (name === undefined && certificateArn === undefined) return undefined;
  if (!NAME.test(String(name))) {
    throw new Error('consoleDomain must be a name in lower case, such as console.example.com.');
  }
  if (!CERTIFICATE.test(String(certificateArn))) {
    throw new Error('consoleCertificateArn must be the ARN of a certificate of ACM in us-east-1.');
  }
  return { name: String(name), certificateArn: String(certificateArn) };
};
