import type { AudioFormat } from '#src/modules/media/audio-line.js';
import { AudioReplay } from './audio-replay.js';
import { DeepgramSocket, type DeepgramListener, type DeepgramSocketOptions } from './deepgram-socket.js';

/** Sockets in a row that break without a word. */
const MAX_REPLACEMENTS = 2;

export interface ReplayingListener extends DeepgramListener {
  /** Another socket transcribes the audio without a final transcript. */
  onReplaced(): void;
}

/** The sockets of one transcription: one that breaks is replaced, and what was said before is not lost. */
export class ReplayingSocket {
  private socket: DeepgramSocket;
  private readonly replay: AudioReplay;
  private replacements = 0;

  constructor(
    private readonly options: DeepgramSocketOptions & { format: AudioFormat },
    private readonly on: ReplayingListener,
  ) {
    this.replay = new AudioReplay(options.format);
    this.socket = this.open();
  }

  write(audio: Buffer): void {
    this.replay.add(audio);
    this.socket.send(audio);
  }

  send(message: string): void {
    this.socket.send(message);
  }

  /** @param seconds of the current socket's audio with a final transcript */
  confirm(seconds: number): void {
    this.replay.confirm(seconds);
  }

  /** The current socket transcribes: it breaks as the first one in a row. */
  recordWords(): void {
    this.replacements = 0;
  }

  close(last: string): void {
    this.socket.close(last);
  }

  fail(...error: Parameters<DeepgramSocket['fail']>): void {
    this.replacements = MAX_REPLACEMENTS;
    this.socket.fail(...error);
  }

  private open(): DeepgramSocket {
    const socket = new DeepgramSocket(this.options, {
      onMessage: (message) => this.on.onMessage(message),
      onFailure: (error) => {
        const isReplaced = error.retryable && socket.wasOpen && this.replacements < MAX_REPLACEMENTS;
        if (!isReplaced) return this.on.onFailure(error);
        this.replacements += 1;
        this.socket = this.open();
        for (const audio of this.replay.restart()) this.socket.send(audio);
        this.on.onReplaced();
      },
    });
    return socket;
  }
}
