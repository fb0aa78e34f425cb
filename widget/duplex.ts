import type { EarFailure } from './ear.js';
import { LINE_RATE, MICROPHONE, PLAYER, type PlayerOrder, type PlayerReport } from './worklet.js';

export interface DuplexListener {
  /** A piece of what the microphone takes: 40 ms. */
  captured(audio: ArrayBuffer): void;
  /** All audio up to this place was heard. */
  played(place: number): void;
  /** The assistant began or stopped to speak. */
  speaking(on: boolean): void;
  failed(failure: EarFailure): void;
}

/** Whether this browser can send and play audio. */
export const canStream = (): boolean =>
  'AudioWorkletNode' in globalThis && navigator.mediaDevices?.getUserMedia !== undefined;

/**
 * Asks for the microphone, with the loudspeaker's sound taken out of it.
 *
 * @throws DOMException as `getUserMedia` does
 */
export const openMicrophone = (): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({
    audio: {
      echoCancellation: true,
      autoGainControl: true,
      noiseSuppression: true,
      channelCount: 1,
    },
  });

/**
 * The microphone and the loudspeaker of a call, with audio of the line. Where the browser cannot take the loudspeaker's
 * sound out of the microphone's, the microphone is off while the assistant speaks.
 */
export class Duplex {
  isMuted = false;
  /** Bytes that came from the line, and that were played or discarded. */
  private received = 0;
  private played = 0;
  private turn = 0;
  private isSpeaking = false;
  private holding: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    private readonly contexts: readonly AudioContext[],
    private readonly player: AudioWorkletNode,
    private readonly stream: MediaStream,
    private readonly listener: DuplexListener,
  ) {
    player.port.onmessage = ({ data }: MessageEvent<PlayerReport>) => this.report(data);
  }

  /** @param script the address of this script, which the audio thread loads */
  static async open(script: string, stream: MediaStream, listener: DuplexListener): Promise<Duplex> {
    const speaker = new AudioContext({ sampleRate: LINE_RATE });
    // At the microphone's own rate: not all browsers convert it.
    const ears = new AudioContext();
    const contexts = [speaker, ears];
    try {
      await Promise.all(contexts.map(({ audioWorklet }) => audioWorklet.addModule(script)));
      await Promise.all(contexts.map((context) => context.resume()));
      const player = new AudioWorkletNode(speaker, PLAYER, { numberOfInputs: 0, outputChannelCount: [1] });
      player.connect(speaker.destination);
      const microphone = new AudioWorkletNode(ears, MICROPHONE, { numberOfOutputs: 0, channelCount: 1 });
      ears.createMediaStreamSource(stream).connect(microphone);
      const duplex = new Duplex(contexts, player, stream, listener);
      duplex.attend(microphone);
      return duplex;
    } catch (error) {
      for (const context of contexts) void context.close();
      throw error;
    }
  }

  get speaks(): boolean {
    return this.isSpeaking;
  }

  /** Up to which places audio was received and played. */
  get places(): { received: number; played: number } {
    return { received: this.received, played: this.played };
  }

  play(audio: ArrayBuffer): void {
    this.received += audio.byteLength;
    this.order({ kind: 'audio', samples: new Int16Array(audio), end: this.received });
    this.setSpeaking(true);
  }

  /** Discards what was not played. @param place at which audio goes on */
  clear(place: number): void {
    this.turn += 1;
    this.received = this.played = place;
    this.order({ kind: 'clear', turn: this.turn });
    this.hold(false);
    this.setSpeaking(false);
  }

  /** Stands still, e.g. while the line is broken. @param limitMs goes on by itself after this time */
  hold(on: boolean, limitMs?: number): void {
    clearTimeout(this.holding);
    this.order({ kind: 'hold', on });
    if (limitMs !== undefined) this.holding = setTimeout(() => this.hold(false), limitMs);
  }

  close(): void {
    clearTimeout(this.holding);
    for (const track of this.stream.getTracks()) track.stop();
    for (const context of this.contexts) void context.close();
  }

  private attend(microphone: AudioWorkletNode): void {
    const [track] = this.stream.getAudioTracks();
    const hearsItself = !track?.getSettings().echoCancellation;
    microphone.port.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
      if (!this.isMuted && !(hearsItself && this.isSpeaking)) this.listener.captured(data);
    };
    track?.addEventListener('ended', () => this.listener.failed('noMicrophone'));
  }

  /** What the audio thread has given away is heard a little later. */
  private report({ turn, end, more }: PlayerReport): void {
    const tell = (): void => {
      if (turn !== this.turn) return;
      this.played = end;
      this.listener.played(end);
      if (!more && this.played === this.received) this.setSpeaking(false);
    };
    const latencyMs = (this.contexts[0]?.outputLatency ?? 0) * 1000;
    if (latencyMs >= 1) setTimeout(tell, latencyMs);
    else tell();
  }

  private order(order: PlayerOrder): void {
    const transferred = order.kind === 'audio' ? [order.samples.buffer] : [];
    this.player.port.postMessage(order, transferred);
  }

  private setSpeaking(on: boolean): void {
    if (this.isSpeaking === on) return;
    this.isSpeaking = on;
    this.listener.speaking(on);
  }
}
