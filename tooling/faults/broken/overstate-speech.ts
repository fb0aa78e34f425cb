/** Counts speech as heard when it is sent, as samples of the provider do. */
import { AudioPlayback } from '#src/modules/conversations/realtime/audio-playback.js';

const { stop } = AudioPlayback.prototype;

AudioPlayback.prototype.stop = function (this: AudioPlayback) {
  const { sent } = this as unknown as { sent: { mark: string }[] };
  const last = sent.at(-1);
  if (last) this.marked(last.mark);
  return stop.call(this);
};
