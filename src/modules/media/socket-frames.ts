/** The fields of a frame, of unknown types. */
export type SocketFrame = Record<string, unknown>;

/** A text frame of a socket; null for anything but a JSON object. */
export function parseFrame(text: string): SocketFrame | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as SocketFrame) : null;
  } catch {
    return null;
  }
}

/** A key of a telephone. */
export const isDtmfKey = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9A-D*#]$/.test(value);
