const MAX_LENGTH = 300;

/**
 * Host and path of a redirect's `Location`, as printable ASCII: a query or user information may be
 * secret. Undefined for what leads to no HTTP server.
 * @param location as Node has it: a character for each byte
 * @param url of the request, which a relative `location` is resolved against
 */
export const redirectTarget = (location: string, url: string): string | undefined => {
  const target = URL.parse(Buffer.from(location, 'latin1').toString(), url);
  if (target === null || !/^https?:$/.test(target.protocol)) return undefined;
  const shown = `${target.host}${target.pathname}`;
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH - 3)}...` : shown;
};
