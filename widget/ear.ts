/** What of the Web Speech API is used; not all browsers have it, and TypeScript does not describe it. */
interface Recognition {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  onresult: ((event: { resultIndex: number; results: ArrayLike<RecognitionResult> }) => void) | null;
  onspeechstart: (() => void) | null;
  onspeechend: (() => void) | null;
  onerror: ((event: { error: string }) => void) | null;
  onend: (() => void) | null;
  start(): void;
  abort(): void;
}

interface RecognitionResult extends ArrayLike<{ transcript: string }> {
  isFinal: boolean;
}

type RecognitionClass = new () => Recognition;

export type EarFailure = 'noMicrophone' | 'microphoneRefused' | 'noSpeech';

export interface EarListener {
  heard(text: string, final: boolean): void;
  speaking(on: boolean): void;
  failed(failure: EarFailure): void;
}

const recognitionClass = (): RecognitionClass | undefined => {
  const names = globalThis as {
    SpeechRecognition?: RecognitionClass;
    webkitSpeechRecognition?: RecognitionClass;
  };
  return names.SpeechRecognition ?? names.webkitSpeechRecognition;
};

/** Whether this browser can understand speech. */
export const canListen = (): boolean =>
  recognitionClass() !== undefined && navigator.mediaDevices?.getUserMedia !== undefined;

/** Asks for the microphone, so that a refusal is known before a call begins. */
export async function microphoneProblem(): Promise<EarFailure | null> {
  try {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    for (const track of stream.getTracks()) track.stop();
    return null;
  } catch (error) {
    return microphoneFailure(error);
  }
}

/** Why there is no microphone, by what `getUserMedia` throws. */
export function microphoneFailure(error: unknown): EarFailure {
  const name = error instanceof DOMException ? error.name : '';
  return name === 'NotAllowedError' || name === 'SecurityError' ? 'microphoneRefused' : 'noMicrophone';
}

const FAILURES: Record<string, EarFailure> = {
  'not-allowed': 'microphoneRefused',
  'audio-capture': 'noMicrophone',
  'service-not-allowed': 'noSpeech',
  'language-not-supported': 'noSpeech',
  network: 'noSpeech',
};

/**
 * Listens with the browser's own recognition. While the assistant speaks it is off: it would hear the loudspeaker.
 */
export class Ear {
  private recognition: Recognition | null = null;
  private isWanted = false;
  language = 'en-US';

  constructor(private readonly listener: EarListener) {}

  listen(on: boolean): void {
    this.isWanted = on;
    if (on && !this.recognition) this.start();
    if (!on) this.recognition?.abort();
  }

  private start(): void {
    const Recognizer = recognitionClass();
    if (!Recognizer) return this.listener.failed('noSpeech');
    const recognition = (this.recognition = new Recognizer());
    recognition.lang = this.language;
    recognition.continuous = true;
    recognition.interimResults = true;
    recognition.onresult = ({ resultIndex, results }) => {
      const result = results[resultIndex];
      const text = result?.[0]?.transcript.trim() ?? '';
      if (this.isWanted && result && text) this.listener.heard(text, result.isFinal);
    };
    recognition.onspeechstart = () => this.listener.speaking(true);
    recognition.onspeechend = () => this.listener.speaking(false);
    recognition.onerror = ({ error }) => {
      const failure = FAILURES[error];
      if (!failure) return;
      this.isWanted = false;
      this.listener.failed(failure);
    };
    // Browsers stop to listen after a while of silence.
    recognition.onend = () => {
      this.recognition = null;
      if (this.isWanted) this.start();
    };
    recognition.start();
  }
}
