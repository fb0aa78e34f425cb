const FRAME_MS = 20;
/** Shorter silence is a pause between words. */
const PAUSE_MS = 200;

/** Milliseconds of the stream's audio. */
export interface Span {
  from: number;
  to: number;
}

/** When each side of a media stream is audible. `text` of the callee: null for a noise. */
export interface LineVoices {
  callee: (Span & { text: string | null })[];
  assistant: Span[];
}

/** Notes who is audible on a media stream, frame by frame. */
export class VoiceLog {
  private readonly voices: LineVoices = { callee: [], assistant: [] };

  /** @param start number of the first frame */
  addSpeech(text: string | null, start: number, frames: number): void {
    const from = start * FRAME_MS;
    this.voices.callee.push({ from, to: from + frames * FRAME_MS, text });
  }

  /** The assistant is audible in this frame. */
  addAssistantFrame(number: number): void {
    const from = number * FRAME_MS;
    const last = this.voices.assistant.at(-1);
    if (last && from - last.to <= PAUSE_MS) last.to = from + FRAME_MS;
    else this.voices.assistant.push({ from, to: from + FRAME_MS });
  }

  /** @param frames that the stream has had: speech after them was not sent */
  end(frames: number): LineVoices {
    const endMs = frames * FRAME_MS;
    const callee = this.voices.callee
      .filter(({ from }) => from < endMs)
      .map((speech) => ({ ...speech, to: Math.min(speech.to, endMs) }));
    return { callee, assistant: this.voices.assistant };
  }
}
