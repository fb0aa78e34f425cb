/** Result of a detector for one frame of audio. */
export type OnVoiceFrame = (isVoice: boolean, ms: number) => void;

/** Voice detection in the audio of one call. */
export interface VoiceActivity {
  /** Pieces of any size; results follow in order, perhaps later. */
  push(samples: Int16Array): void;
  close(): void;
}

/** Distinguishes voice from silence and noise. */
export abstract class VoiceActivityDetector {
  abstract open(sampleRate: number, onFrame: OnVoiceFrame): VoiceActivity;
}

/** Minimum of voice that counts as speech, not as a click. */
const MIN_SPEECH_MS = 60;

export interface VoiceTurnListener {
  speechStarted(): void;
  /** @param ms of voice since the start of speech, without pauses */
  speechContinued(ms: number): void;
  speechEnded(): void;
}

/** Derives the customer's turns from frames: a turn ends after `endMs` of silence at the time, clicks included. */
export class VoiceTurnDetector {
  private voiceMs = 0;
  private silenceMs = 0;
  /** Of the voice since the last silent frame. */
  private soundMs = 0;
  private isSpeaking = false;

  constructor(
    private readonly endMs: () => number,
    private readonly on: VoiceTurnListener,
  ) {}

  addFrame(isVoice: boolean, ms: number): void {
    if (isVoice) this.addVoice(ms);
    else this.addSilence(ms);
  }

  /** The audio ends, and with it the turn. */
  endAudio(): void {
    this.addSilence(this.endMs());
  }

  private addVoice(ms: number): void {
    this.soundMs += ms;
    if (this.soundMs >= MIN_SPEECH_MS) this.silenceMs = 0;
    this.voiceMs += ms;
    if (!this.isSpeaking && this.voiceMs >= MIN_SPEECH_MS) {
      this.isSpeaking = true;
      this.silenceMs = 0;
      this.soundMs = this.voiceMs;
      this.on.speechStarted();
    }
    if (this.isSpeaking) this.on.speechContinued(this.voiceMs);
  }

  private addSilence(ms: number): void {
    this.silenceMs += ms + (this.soundMs < MIN_SPEECH_MS ? this.soundMs : 0);
    this.soundMs = 0;
    if (!this.isSpeaking) this.voiceMs = Math.max(0, this.voiceMs - ms);
    if (!this.isSpeaking || this.silenceMs < this.endMs()) return;
    this.isSpeaking = false;
    this.voiceMs = 0;
    this.on.speechEnded();
  }
}
