import type { TlsOptions } from 'node:tls';
import type { Extension } from '@peculiar/x509';
import { type CertificateAuthority, createAuthority, daysFromNow } from '../certificates.ts';

/** The TLS of a server that a client of `authority` must not trust. */
type MakeTls = (authority: CertificateAuthority) => Promise<TlsOptions>;

const past = { notBefore: daysFromNow(-3), notAfter: daysFromNow(-2) };
const future = { notBefore: daysFromNow(2), notAfter: daysFromNow(3) };
/** Lets a server use keys and versions that OpenSSL has given up. */
const LENIENT = { ciphers: 'DEFAULT@SECLEVEL=0' };

const x509 = () => import('@peculiar/x509');

const unknownCritical = async (): Promise<Extension> =>
  new (await x509()).Extension('1.3.6.1.4.1.99999.1', true, new Uint8Array([5, 0]));

const basicConstraints = async (isAuthority: boolean): Promise<Extension> =>
  new (await x509()).BasicConstraintsExtension(isAuthority, undefined, true);

/** RFC 5280: NameConstraints with one permitted subtree, a DNS name. */
const onlyNamesOf = async (domain: string): Promise<Extension> => {
  const tagged = (tag: number, content: Buffer) =>
    Buffer.concat([Buffer.from([tag, content.length]), content]);
  const subtree = tagged(0x30, tagged(0x82, Buffer.from(domain)));
  const constraints = tagged(0x30, tagged(0xa0, subtree));
  return new (await x509()).Extension('2.5.29.30', true, constraints);
};

/** The fault, the code that the attempt shows, and a function that makes the server's TLS options. */
export const CERTIFICATE_FAULTS: readonly (readonly [what: string, code: string, MakeTls])[] = [
  ['expired', 'CERT_HAS_EXPIRED', (authority) => authority.issue(past)],
  ['not yet valid', 'CERT_NOT_YET_VALID', (authority) => authority.issue(future)],
  [
    'of another host',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    (authority) => authority.issue({ names: ['elsewhere.example'], addresses: [] }),
  ],
  ['self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT', (authority) => authority.selfSigned()],
  [
    'of an authority that nobody knows',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    async () => (await createAuthority({ name: 'CN=Unknown' })).issue(),
  ],
  [
    'of an unknown authority that is sent along',
    'SELF_SIGNED_CERT_IN_CHAIN',
    async () => {
      const unknown = await createAuthority({ name: 'CN=Unknown' });
      const { cert, key } = await unknown.issue();
      return { cert: cert + unknown.caCertificate, key };
    },
  ],
  [
    'of a subordinate of an unknown authority',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    async () => (await (await createAuthority({ name: 'CN=Unknown' })).subordinate()).issue(),
  ],
  [
    'signed by another key than its authority’s',
    'CERT_SIGNATURE_FAILURE',
    async () => (await createAuthority()).issue(),
  ],
  [
    'of a subordinate that expired',
    'CERT_HAS_EXPIRED',
    async (authority) => (await authority.subordinate(past)).issue(),
  ],
  [
    'of a server that is no authority',
    'INVALID_PURPOSE',
    async (authority) =>
      (await authority.subordinate({ extensions: [await basicConstraints(false)] })).issue(),
  ],
  [
    'of too long a chain',
    'PATH_LENGTH_EXCEEDED',
    async (authority) =>
      (
        await (await authority.subordinate({ pathLength: 0 })).subordinate({ name: 'CN=Third' })
      ).issue(),
  ],
  [
    'of an authority that may not sign certificates',
    'KEY_USAGE_DOES_NOT_INCLUDE_CERTIFICATE_SIGNING',
    async (authority) => {
      const { KeyUsagesExtension, KeyUsageFlags } = await x509();
      const extensions = [
        await basicConstraints(true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      ];
      return (await authority.subordinate({ extensions })).issue();
    },
  ],
  [
    'of an authority for other names',
    'PERMITTED_SUBTREE_VIOLATION',
    async (authority) => {
      const extensions = [await basicConstraints(true), await onlyNamesOf('elsewhere.example')];
      return (await authority.subordinate({ extensions })).issue();
    },
  ],
  [
    'for clients only',
    'INVALID_PURPOSE',
    async (authority) => {
      const { ExtendedKeyUsage, ExtendedKeyUsageExtension } = await x509();
      return authority.issue({
        extensions: [new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth], true)],
      });
    },
  ],
  [
    'for signing certificates only',
    'INVALID_PURPOSE',
    async (authority) => {
      const { KeyUsagesExtension, KeyUsageFlags } = await x509();
      return authority.issue({
        extensions: [new KeyUsagesExtension(KeyUsageFlags.cRLSign, true)],
      });
    },
  ],
  [
    'marked with a critical extension that nobody knows',
    'UNHANDLED_CRITICAL_EXTENSION',
    async (authority) => authority.issue({ extensions: [await unknownCritical()] }),
  ],
  [
    'of an authority with such an extension',
    'UNHANDLED_CRITICAL_EXTENSION',
    async (authority) => {
      const extensions = [await basicConstraints(true), await unknownCritical()];
      return (await authority.subordinate({ extensions })).issue();
    },
  ],
  [
    'of an RSA key of 1,024 bits',
    'EE_CERTIFICATE_KEY_TOO_WEAK',
    async (authority) => ({ ...(await authority.issue({ rsaBits: 1_024 })), ...LENIENT }),
  ],
  [
    'self-signed with an RSA key of 1,024 bits',
    'EE_CERTIFICATE_KEY_TOO_WEAK',
    async (authority) => ({ ...(await authority.selfSigned({ rsaBits: 1_024 })), ...LENIENT }),
  ],
  [
    'signed with SHA-1',
    'CA_SIGNATURE_DIGEST_ALGORITHM_TOO_WEAK',
    async (authority) => ({ ...(await authority.issue({ hash: 'SHA-1' })), ...LENIENT }),
  ],
];
