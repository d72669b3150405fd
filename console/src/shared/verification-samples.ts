const node = `import { createHmac, timingSafeEqual } from 'node:crypto';

// rawBody: the bytes of the body as they came, before any parsing.
export const isAuthentic = (rawBody, signature, secret) => {
  const hmac = createHmac('sha256', secret).update(rawBody);
  const expected = Buffer.from(hmac.digest('hex'));
  const actual = Buffer.from(signature);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
};`;

const python = `import hashlib, hmac

# raw_body: the bytes of the body as they came, before any parsing.
def is_authentic(raw_body: bytes, signature: str, secret: str) -> bool:
    expected = hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode())`;

const go = `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

// IsAuthentic takes the bytes of the body as they came, before any parsing.
func IsAuthentic(rawBody []byte, signature, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(rawBody)
	expected := hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(signature))
}`;

const java = `import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

final class Webhooks {
  // rawBody: the bytes of the body as they came, before any parsing.
  static boolean isAuthentic(byte[] rawBody, String signature, String secret)
      throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
    String expected = HexFormat.of().formatHex(mac.doFinal(rawBody));
    return MessageDigest.isEqual(expected.getBytes(UTF_8), signature.getBytes(UTF_8));
  }
}`;

const ruby = `require 'openssl'

# raw_body: the bytes of the body as they came, before any parsing.
def authentic?(raw_body, signature, secret)
  expected = OpenSSL::HMAC.hexdigest('SHA256', secret, raw_body)
  OpenSSL.secure_compare(expected, signature)
end`;

const php = `<?php
// $rawBody: the bytes of the body as they came, such as file_get_contents('php://input').
function isAuthentic(string $rawBody, string $signature, string $secret): bool
{
    return hash_equals(hash_hmac('sha256', $rawBody, $secret), $signature);
}`;

const csharp = `using System;
using System.Security.Cryptography;
using System.Text;

static class Webhooks
{
    // rawBody: the bytes of the body as they came, before any parsing.
    public static bool IsAuthentic(byte[] rawBody, string signature, string secret)
    {
        var hash = HMACSHA256.HashData(Encoding.UTF8.GetBytes(secret), rawBody);
        var hex = Convert.ToHexString(hash).ToLowerInvariant();
        var expected = Encoding.UTF8.GetBytes(hex);
        var actual = Encoding.UTF8.GetBytes(signature);
        return CryptographicOperations.FixedTimeEquals(expected, actual);
    }
}`;

/**
 * Functions that verify `X-Service-Signature`. Each uses the whole secret as the key, including
 * `whsec_`, and compares in constant time.
 */
export const VERIFICATION_SAMPLES = [
  { id: 'node', language: 'Node', code: node },
  { id: 'python', language: 'Python', code: python },
  { id: 'go', language: 'Go', code: go },
  { id: 'java', language: 'Java', code: java },
  { id: 'ruby', language: 'Ruby', code: ruby },
  { id: 'php', language: 'PHP', code: php },
  { id: 'csharp', language: 'C#', code: csharp },
] as const;
