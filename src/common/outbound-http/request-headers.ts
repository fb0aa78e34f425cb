/** Headers that belong to the connection, and compression, of which we want none: a cap counts plain bytes. */
const OWN_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The headers to send: names in lower case (a repeated name counts once, the last wins), without our own. */
export function requestHeaders(
  given: Readonly<Record<string, string>>,
  userAgent: string,
): Record<string, string> {
  const named = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries([
    ['user-agent', userAgent],
    ...named.filter(([name]) => !OWN_HEADERS.has(name)),
    ['accept-encoding', 'identity'],
  ]);
}
