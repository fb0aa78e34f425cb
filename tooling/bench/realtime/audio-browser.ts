import { once } from 'node:events';
import { WebSocket } from 'ws';
import { audioAt, pcmFrame } from './audio-frames.js';
import type { BothWays } from './bridge-window.js';
import { STAMP_BYTES } from './frame-times.js';
import type { Pacer } from './pacer.js';

/** Opens a line like a browser; the customer speaks without a pause, and all audio counts as played at once. */
export async function openAudioBrowser(
  url: string,
  headers: Record<string, string>,
  pacer: Pacer,
  { toModel, fromModel }: BothWays,
): Promise<WebSocket> {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  let place = 0;
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) {
      fromModel.arrived(data.subarray(0, STAMP_BYTES).toString('base64'), 0);
      place += data.length;
      return socket.send(`{"type":"played","place":${place}}`);
    }
    const text = data.toString('latin1');
    const at = audioAt(text);
    if (at >= 0) fromModel.arrived(text, at);
    if (text.startsWith('{"type":"clear"')) ({ place } = JSON.parse(text) as { place: number });
  });
  await once(socket, 'open');
  pacer.add(() => {
    if (socket.readyState === socket.OPEN) socket.send(pcmFrame(toModel.stamp()));
  });
  return socket;
}
