/**
 * Reads at most `maxBytes` of a response; leaving the loop early destroys the stream and its socket, so an
 * endless body costs one buffer.
 */
export async function readCapped(
  stream: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<{ body: string; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) break;
  }
  const text = decode(Buffer.concat(chunks), maxBytes);
  // Each byte that is not UTF-8 became a replacement character of three bytes.
  const body = Buffer.byteLength(text) > maxBytes ? decode(Buffer.from(text), maxBytes) : text;
  return { body, truncated: bytes > maxBytes };
}

/** UTF-8 without NUL (Postgres stores none); a character that the cut would split is left out. */
function decode(bytes: Buffer, maxBytes: number): string {
  const cut = bytes.length > maxBytes;
  return new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: cut }).replaceAll('\0', '');
}
