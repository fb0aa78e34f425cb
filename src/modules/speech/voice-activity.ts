/** What a detector says of one frame of audio. */
export type OnVoiceFrame = (isVoice: boolean, ms: number) => void;

/** Voice detection in the audio of one call. */
export interface VoiceActivity {
  /** Pieces of any size; frames are told in order, perhaps later. */
  push(samples: Int16Array): void;
  close(): void;
}

/** Tells voice from silence and noise. */
export abstract class VoiceActivityDetector {
  abstract open(sampleRate: number, onFrame: OnVoiceFrame): VoiceActivity;
}

/** This much voice is speech, and not a click. */
const START_MS = 60;

export interface VoiceTurnListener {
  began(): void;
  /** The voice goes on. @param ms of voice since the customer began, pauses left out */
  lasts(ms: number): void;
  ended(): void;
}

/** Makes turns of the customer from frames: a turn ends after `endMs` of silence. */
export class VoiceTurns {
  private voiceMs = 0;
  private silenceMs = 0;
  private speaks = false;

  constructor(
    private readonly endMs: number,
    private readonly on: VoiceTurnListener,
  ) {}

  frame(isVoice: boolean, ms: number): void {
    if (isVoice) this.voice(ms);
    else this.silence(ms);
  }

  private voice(ms: number): void {
    this.silenceMs = 0;
    this.voiceMs += ms;
    if (!this.speaks && this.voiceMs >= START_MS) {
      this.speaks = true;
      this.on.began();
    }
    if (this.speaks) this.on.lasts(this.voiceMs);
  }

  private silence(ms: number): void {
    this.silenceMs += ms;
    if (!this.speaks) this.voiceMs = Math.max(0, this.voiceMs - ms);
    if (!this.speaks || this.silenceMs < this.endMs) return;
    this.speaks = false;
    this.voiceMs = 0;
    this.on.ended();
  }
}
