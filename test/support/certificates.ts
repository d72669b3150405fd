import { webcrypto } from 'node:crypto';
import tls from 'node:tls';
import type { Extension } from '@peculiar/x509';
import 'reflect-metadata';

/** PEM texts, as a TLS server takes them: the server's certificate, then those that vouch for it. */
interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

interface CertificateWishes {
  readonly names?: readonly string[];
  readonly addresses?: readonly string[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  /** P-256 unless asked otherwise. */
  readonly rsaBits?: number;
  /** Of the signature: SHA-256 unless asked otherwise. */
  readonly hash?: 'SHA-1';
  /** Beside the names and addresses. */
  readonly extensions?: readonly Extension[];
}

interface AuthorityWishes extends Pick<CertificateWishes, 'notBefore' | 'notAfter' | 'extensions'> {
  readonly name?: string;
  /** How many authorities may stand between this authority and a server: any number unless asked. */
  readonly pathLength?: number;
}

export interface CertificateAuthority {
  readonly caCertificate: string;
  /** Valid for `localhost`, `127.0.0.1` and `::1`, from yesterday to tomorrow, unless asked otherwise. */
  issue(overrides?: CertificateWishes): Promise<ServerCertificate>;
  /** Valid in everything but that nobody vouches for it. */
  selfSigned(overrides?: CertificateWishes): Promise<ServerCertificate>;
  /** An authority that this authority vouches for. */
  subordinate(overrides?: AuthorityWishes): Promise<CertificateAuthority>;
}

const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' };
const DAY_MS = 86_400_000;

export const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS);

/** Loaded late: most test files need no certificates. */
const loadX509 = () => import('@peculiar/x509');

const generateKeys = ({ rsaBits }: CertificateWishes = {}) => {
  const publicExponent = new Uint8Array([1, 0, 1]);
  const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent };
  return rsaBits === undefined
    ? webcrypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify'])
    : webcrypto.subtle.generateKey({ ...rsa, modulusLength: rsaBits }, true, ['sign', 'verify']);
};

const privateKeyPem = async (key: webcrypto.CryptoKey): Promise<string> => {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key));
  return `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`;
};

interface Signer {
  readonly name: string;
  readonly privateKey: webcrypto.CryptoKey;
}

const certify = async (
  { subject, publicKey }: { subject: string; publicKey: webcrypto.CryptoKey },
  signer: Signer,
  {
    notBefore = daysFromNow(-1),
    notAfter = daysFromNow(1),
    hash,
    extensions = [],
  }: CertificateWishes,
): Promise<string> => {
  const x509 = await loadX509();
  const certificate = await x509.X509CertificateGenerator.create({
    subject,
    issuer: signer.name,
    publicKey,
    signingKey: signer.privateKey,
    signingAlgorithm: { name: signer.privateKey.algorithm.name, hash: hash ?? 'SHA-256' },
    notBefore,
    notAfter,
    extensions: [...extensions],
  });
  return `${certificate.toString('pem')}\n`;
};

const namesExtension = async ({
  names = ['localhost'],
  addresses = ['127.0.0.1', '::1'],
}: CertificateWishes): Promise<Extension> => {
  const x509 = await loadX509();
  return new x509.SubjectAlternativeNameExtension([
    ...names.map((value) => ({ type: 'dns' as const, value })),
    ...addresses.map((value) => ({ type: 'ip' as const, value })),
  ]);
};

const SERVER_NAME = 'CN=receiver';

/** An authority with a key. `chain` is what its servers send beside their own certificates. */
const authorityWith = (
  signer: Signer,
  { caCertificate, chain }: { caCertificate: string; chain: string },
): CertificateAuthority => {
  const issue = async (overrides: CertificateWishes, by?: Signer): Promise<ServerCertificate> => {
    const keys = await generateKeys(overrides);
    const own = await certify(
      { subject: SERVER_NAME, publicKey: keys.publicKey },
      by ?? { name: SERVER_NAME, privateKey: keys.privateKey },
      {
        ...overrides,
        extensions: [await namesExtension(overrides), ...(overrides.extensions ?? [])],
      },
    );
    return { cert: own + (by ? chain : ''), key: await privateKeyPem(keys.privateKey) };
  };
  return {
    caCertificate,
    issue: (overrides = {}) => issue(overrides, signer),
    selfSigned: (overrides = {}) => issue(overrides),
    subordinate: async (overrides = {}) => {
      const { privateKey, publicKey } = await generateKeys();
      const name = overrides.name ?? 'CN=Subordinate authority of the tests';
      const own = await certify({ subject: name, publicKey }, signer, {
        ...overrides,
        extensions: await authorityExtensions(overrides),
      });
      return authorityWith({ name, privateKey }, { caCertificate: own, chain: own + chain });
    },
  };
};

const authorityExtensions = async ({
  pathLength,
  extensions,
}: AuthorityWishes): Promise<readonly Extension[]> => {
  const x509 = await loadX509();
  return extensions ?? [new x509.BasicConstraintsExtension(true, pathLength, true)];
};

/** Made in this process and kept nowhere. */
export const createAuthority = async (
  overrides: AuthorityWishes = {},
): Promise<CertificateAuthority> => {
  const { privateKey, publicKey } = await generateKeys();
  const signer = { name: overrides.name ?? 'CN=Authority of the tests', privateKey };
  const own = await certify({ subject: signer.name, publicKey }, signer, {
    notBefore: daysFromNow(-30),
    notAfter: daysFromNow(30),
    ...overrides,
    extensions: await authorityExtensions(overrides),
  });
  return authorityWith(signer, { caCertificate: own, chain: '' });
};

/** Makes this process' clients trust the authority beside the usual ones; gives the way back. */
export const trustAuthority = (authority: CertificateAuthority): (() => void) => {
  const before = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...before, authority.caCertificate]);
  return () => tls.setDefaultCACertificates(before);
};
