/** Counts speech as heard when it is sent, like the provider's samples. */
import { AudioPlayback } from '#src/modules/conversations/realtime/audio-playback.js';

const { stop } = AudioPlayback.prototype;

AudioPlayback.prototype.stop = function (this: AudioPlayback) {
  const { sent } = this as unknown as { sent: { mark: string }[] };
  const last = sent.at(-1);
  if (last) this.markReached(last.mark);
  return stop.call(this);
};
