import { webcrypto } from 'node:crypto';
import tls from 'node:tls';
import 'reflect-metadata';

/** PEM texts, as a TLS server takes them. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

interface CertificateWishes {
  readonly names?: readonly string[];
  readonly addresses?: readonly string[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

export interface CertificateAuthority {
  readonly caCertificate: string;
  /** Valid for `localhost`, `127.0.0.1` and `::1`, from yesterday to tomorrow, unless asked otherwise. */
  issue(wishes?: CertificateWishes): Promise<ServerCertificate>;
  /** Valid in everything but that nobody vouches for it. */
  selfSigned(): Promise<ServerCertificate>;
}

const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' };
const SIGNING_ALGORITHM = { name: 'ECDSA', hash: 'SHA-256' };
const AUTHORITY_NAME = 'CN=Authority of the tests';
const DAY_MS = 86_400_000;

const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS);

const generateKeys = () => webcrypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify']);

const privateKeyPem = async (key: webcrypto.CryptoKey): Promise<string> => {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key));
  return `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`;
};

/** Made in this process and kept nowhere. */
export const createAuthority = async (): Promise<CertificateAuthority> => {
  const x509 = await import('@peculiar/x509');
  const authorityKeys = await generateKeys();
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: AUTHORITY_NAME,
    keys: authorityKeys,
    signingAlgorithm: SIGNING_ALGORITHM,
    notBefore: daysFromNow(-30),
    notAfter: daysFromNow(30),
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });

  const issue = async (wishes: CertificateWishes, signer: 'authority' | 'itself') => {
    const { names = ['localhost'], addresses = ['127.0.0.1', '::1'] } = wishes;
    const keys = await generateKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      subject: 'CN=receiver',
      issuer: signer === 'authority' ? AUTHORITY_NAME : 'CN=receiver',
      publicKey: keys.publicKey,
      signingKey: signer === 'authority' ? authorityKeys.privateKey : keys.privateKey,
      signingAlgorithm: SIGNING_ALGORITHM,
      notBefore: wishes.notBefore ?? daysFromNow(-1),
      notAfter: wishes.notAfter ?? daysFromNow(1),
      extensions: [
        new x509.SubjectAlternativeNameExtension([
          ...names.map((value) => ({ type: 'dns' as const, value })),
          ...addresses.map((value) => ({ type: 'ip' as const, value })),
        ]),
      ],
    });
    return { cert: certificate.toString('pem'), key: await privateKeyPem(keys.privateKey) };
  };

  return {
    caCertificate: authority.toString('pem'),
    issue: (wishes = {}) => issue(wishes, 'authority'),
    selfSigned: () => issue({}, 'itself'),
  };
};

/** Makes this process' clients trust the authority beside the usual ones; gives the way back. */
export const trustAuthority = (authority: CertificateAuthority): (() => void) => {
  const before = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...before, authority.caCertificate]);
  return () => tls.setDefaultCACertificates(before);
};

export const expired = { notBefore: daysFromNow(-3), notAfter: daysFromNow(-2) };

export const forAnotherHost = { names: ['elsewhere.example'], addresses: [] };
