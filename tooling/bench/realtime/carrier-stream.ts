import { once } from 'node:events';
import { WebSocket } from 'ws';
import { audioAt, mediaFrame } from './audio-frames.js';
import type { FrameTimes } from './frame-times.js';
import type { Pacer } from './pacer.js';

export const STREAM_SID = 'MZ1';

/** Opens a socket as the carrier does for a call's media stream. */
export async function openMediaStream(url: string, headers: Record<string, string>): Promise<WebSocket> {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  await once(socket, 'open');
  const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 };
  const start = { event: 'start', streamSid: STREAM_SID, start: { streamSid: STREAM_SID, mediaFormat } };
  socket.send(JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }));
  socket.send(JSON.stringify(start));
  return socket;
}

/** Opens a media stream whose customer speaks without a pause. */
export async function openStream(
  url: string,
  headers: Record<string, string>,
  pacer: Pacer,
  { toModel, fromModel }: { toModel: FrameTimes; fromModel: FrameTimes },
): Promise<WebSocket> {
  const socket = await openMediaStream(url, headers);
  socket.on('message', (data: Buffer) => {
    const text = data.toString('latin1');
    const at = audioAt(text);
    if (at >= 0) fromModel.arrived(text, at);
    // All audio before it counts as played.
    else if (text.includes('"event":"mark"')) socket.send(text);
  });
  let sent = 0;
  pacer.add(() => {
    if (socket.readyState === socket.OPEN) socket.send(mediaFrame(toModel.stamp(), sent++));
  });
  return socket;
}
