import { fromPcm } from '../speech/audio/audio-format.js';
import { loudnessOf } from '../speech/audio/frame-splitter.js';

/** The echo that a browser's canceller leaves is quieter than the played audio by more than this … */
const BELOW_PLAYBACK = 10 ** (-24 / 20);
/** … and arrives at most so much later: through the room, the browser and the network. */
const TAIL_MS = 400;
/** Words have quieter sounds: audio after louder audio of the customer is theirs for this long. */
const WORD_MS = 300;

/** Recognises the assistant's own voice in the audio of a browser, which would interrupt the assistant. */
export class ResidualEcho {
  private playback: { at: number; loudness: number }[] = [];
  private customerUntil = 0;

  /**
   * @param audio of the microphone, 16-bit PCM
   * @param playedLoudness of the audio that the browser plays now, root mean square; 0: none
   * @param now in milliseconds
   */
  isEcho(audio: Buffer, playedLoudness: number, now: number): boolean {
    this.playback = [...this.playback, { at: now, loudness: playedLoudness }].filter(
      ({ at }) => at > now - TAIL_MS,
    );
    const loudest = Math.max(...this.playback.map(({ loudness }) => loudness));
    if (loudest === 0) return false;
    if (loudnessOf(fromPcm(audio)) < loudest * BELOW_PLAYBACK) return now >= this.customerUntil;
    this.customerUntil = now + WORD_MS;
    return false;
  }
}
