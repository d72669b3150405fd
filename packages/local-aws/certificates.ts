import { createPrivateKey, KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { makeFolder } from './state-folder.ts';

export interface Certificates {
  /** The authority's certificate, which a client must trust. */
  caFile: string;
  /** For servers on `localhost`, `127.0.0.1` and `::1`. */
  certFile: string;
  keyFile: string;
  caCertificate: string;
}

export const tlsOf = async ({
  certFile,
  keyFile,
}: Pick<Certificates, 'certFile' | 'keyFile'>): Promise<TlsOptions> => ({
  cert: await readFile(certFile),
  key: await readFile(keyFile),
});

const DAY_MS = 24 * 60 * 60 * 1_000;
/** A certificate with less time left than this is replaced. */
const SPARE_MS = 7 * DAY_MS;
const AUTHORITY_DAYS = 3_650;
// Some platforms refuse a server certificate with a longer validity from any authority.
const SERVER_DAYS = 397;

/** Makes an authority and a server certificate as PEM files. Keeps those that are still usable. */
export const prepareCertificates = async (
  directory: string,
  now: Date = new Date(),
): Promise<Certificates> => {
  const files = {
    caFile: join(directory, 'ca.pem'),
    caKeyFile: join(directory, 'ca-key.pem'),
    certFile: join(directory, 'localhost.pem'),
    keyFile: join(directory, 'localhost-key.pem'),
  };
  await makeFolder(directory);
  if (!(await isUsable(files.caFile, files.caKeyFile, now))) {
    await issueAuthority(files, now);
  }
  if (!(await isUsable(files.certFile, files.keyFile, now, files.caFile))) {
    await issueServer(files, now);
  }
  const { caFile, certFile, keyFile } = files;
  return { caFile, certFile, keyFile, caCertificate: await readFile(caFile, 'utf8') };
};

interface Files {
  caFile: string;
  caKeyFile: string;
  certFile: string;
  keyFile: string;
}

const isUsable = async (
  certificateFile: string,
  keyFile: string,
  now: Date,
  issuerFile = certificateFile,
): Promise<boolean> => {
  try {
    const certificate = new X509Certificate(await readFile(certificateFile));
    const issuer = new X509Certificate(await readFile(issuerFile));
    return (
      certificate.checkPrivateKey(createPrivateKey(await readFile(keyFile))) &&
      certificate.verify(issuer.publicKey) &&
      Date.parse(certificate.validTo) > now.getTime() + SPARE_MS
    );
  } catch {
    return false;
  }
};

const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' };
const SIGNING_ALGORITHM = { name: 'ECDSA', hash: 'SHA-256' };

/** Loaded late: most starts find usable certificates and need no library. */
const loadX509 = async () => {
  await import('reflect-metadata');
  return import('@peculiar/x509');
};

// A strict client, such as Python's, refuses certificates without key identifiers.

const issueAuthority = async ({ caFile, caKeyFile }: Files, now: Date): Promise<void> => {
  const x509 = await loadX509();
  const keys = await generateKeys();
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Integrations service on this machine',
    keys,
    signingAlgorithm: SIGNING_ALGORITHM,
    ...validity(now, AUTHORITY_DAYS),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  await writeFile(caFile, `${authority.toString('pem')}\n`);
  await writePrivateKey(caKeyFile, keys.privateKey);
};

const issueServer = async (files: Files, now: Date): Promise<void> => {
  const x509 = await loadX509();
  const authority = new x509.X509Certificate(await readFile(files.caFile, 'utf8'));
  const authorityKey = createPrivateKey(await readFile(files.caKeyFile));
  const keys = await generateKeys();
  const server = await x509.X509CertificateGenerator.create({
    subject: 'CN=localhost',
    issuer: authority.subjectName,
    publicKey: keys.publicKey,
    signingKey: authorityKey.toCryptoKey(KEY_ALGORITHM, false, ['sign']),
    signingAlgorithm: SIGNING_ALGORITHM,
    ...validity(now, SERVER_DAYS),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '::1' },
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
    ],
  });
  await writeFile(files.certFile, `${server.toString('pem')}\n`);
  await writePrivateKey(files.keyFile, keys.privateKey);
};

/** Begins a day ago, for clients whose clock is behind. */
const validity = (now: Date, days: number) => ({
  notBefore: new Date(now.getTime() - DAY_MS),
  notAfter: new Date(now.getTime() + days * DAY_MS),
});

const generateKeys = () => webcrypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify']);

const writePrivateKey = async (file: string, key: webcrypto.CryptoKey): Promise<void> => {
  const pem = KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' });
  await writeFile(file, pem, { mode: 0o600 });
};
