import { createHmac, type KeyObject, sign } from 'node:crypto';

export type Claims = Readonly<Record<string, unknown>>;

const base64url = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/** What a signature is made over: header and claims. */
const signingInput = (header: Claims, claims: Claims): string =>
  `${base64url(header)}.${base64url(claims)}`;

/** A JSON Web Token that says in its header how it is signed, truly or not. */
export const jwtSignedBy = (
  key: KeyObject,
  { header, claims, hash = 'sha256' }: { header: Claims; claims: Claims; hash?: string },
): string => {
  const input = signingInput(header, claims);
  const signature = sign(hash, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
};

/** A token whose signature is a MAC by a text that anybody may know, such as a public key. */
export const jwtWithMac = (secret: string, header: Claims, claims: Claims): string => {
  const input = signingInput(header, claims);
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
};

/** A token with the signature text as it is, such as none. */
export const jwtWithSignature = (signature: string, header: Claims, claims: Claims): string =>
  `${signingInput(header, claims)}.${signature}`;
