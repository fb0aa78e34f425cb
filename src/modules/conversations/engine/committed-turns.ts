import type { Clock } from './clock.js';
import type { CustomerSpeech } from './customer-speech.js';
import type { Speaker } from './speaker.js';
import type { OpenCustomerTurn, Transcript } from './transcript.js';

/** In place of words that are not known yet, or were not transcribed. */
export const NOT_TRANSCRIBED = '[not transcribed]';

/** Voice that is speech without doubt; shorter voice may be a cough or a listener's "mhm". */
const SURE_VOICE_MS = 400;
/** The same over the assistant's speech, where listeners and televisions are heard, too. */
export const SURE_VOICE_OVER_SPEECH_MS = 1_000;
/** Shorter sounds without words get no response. */
const MIN_VOICE_MS = 150;
/** Maximum time that a response is held until words confirm sure voice … */
const SURE_HOLD_MS = 600;
/** … and other voice, or where words decide who speaks. */
const HOLD_MS = 1_500;

/** A turn of the customer whose words are outstanding. */
export interface CommittedTurn extends OpenCustomerTurn {
  readonly voicedMs: number;
  /** The assistant was speaking, or its speech was held. */
  readonly isOverSpeech: boolean;
  /** The model was asked before the words were known. */
  readonly isAsked: boolean;
  /** The time for words is over, and there were none. */
  isOverdue: boolean;
  /** The assistant responds, with or without words. */
  isAccepted: boolean;
  cancel: () => void;
}

export interface CommittedTurnsDependencies {
  clock: Clock;
  transcript: Transcript;
  customerSpeech: CustomerSpeech;
  speaker: Speaker;
  /** Requests a response, in place of one that was not spoken yet, or that the customer has stopped. */
  ask: () => void;
  /** Withdraws a response that was not spoken yet. */
  withdraw: () => void;
  /** Requests the end of a response that was stopped for `ask`. */
  askForRest: () => void;
}

/**
 * Turns of the customer from their end to their words, for sessions whose model hears the audio: the model is asked at
 * once, and its response is held until words or, after a time, the duration of the voice decide.
 */
export class CommittedTurns {
  private readonly open = new Map<string, CommittedTurn>();
  /** Refused because the assistant was speaking; their words may still come. */
  private readonly overheard = new Set<string>();
  private waiting: (() => void)[] = [];

  constructor(private readonly dependencies: CommittedTurnsDependencies) {}

  /** @param options `isAsked`: the model may be asked. `isStrict`: words decide who speaks, e.g. call screening */
  add(id: string, voicedMs: number, options: { isAsked: boolean; isStrict: boolean }): void {
    const { clock, transcript, customerSpeech, speaker, ask } = this.dependencies;
    const turn = { voicedMs, isOverSpeech: speaker.isTalking, ...options };
    const added: CommittedTurn = {
      ...transcript.beginCustomerTurn(NOT_TRANSCRIBED, customerSpeech.consumeSpeechEnd()),
      ...turn,
      isOverdue: false,
      isAccepted: !turn.isAsked,
      cancel: clock.setTimeout(() => this.handleOverdue(added), holdMs(turn)),
    };
    this.open.set(id, added);
    if (turn.isAsked) ask();
  }

  /** The words of a turn arrive: it is not open any more. Null for an unknown turn. */
  take(id: string | undefined): CommittedTurn | null {
    if (id === undefined) return null;
    this.overheard.delete(id);
    const turn = this.open.get(id);
    turn?.cancel();
    this.open.delete(id);
    return turn ?? null;
  }

  /** The words of a turn are known. @param turn null: it was not committed before */
  complete(turn: CommittedTurn | null, text: string, record: string): void {
    const { transcript, customerSpeech } = this.dependencies;
    const open = turn ?? transcript.beginCustomerTurn(text, customerSpeech.consumeSpeechEnd());
    transcript.completeCustomerTurn(open, text, record);
  }

  /**
   * The words of a turn are lost. Sure voice is recorded without them, also where it got no response.
   *
   * @returns false: the model was not asked, and the words decide
   */
  loseWords(id: string): boolean {
    if (this.open.get(id)?.isAsked === false) return false;
    const wasOverheard = this.overheard.has(id);
    const turn = this.take(id);
    if (turn) this.decideWithoutWords(id, turn);
    if (wasOverheard || this.overheard.delete(id)) this.complete(null, NOT_TRANSCRIBED, NOT_TRANSCRIBED);
    return true;
  }

  /** Without words the duration of the voice decides. */
  private decideWithoutWords(id: string, turn: CommittedTurn): void {
    const { transcript, speaker } = this.dependencies;
    if (turn.isAccepted) return;
    if (!isSpeech(turn)) return this.refuse(turn);
    if (turn.isOverSpeech && speaker.isPlaying) {
      this.overheard.add(id);
      return this.refuse(turn);
    }
    turn.isAccepted = true;
    transcript.completeCustomerTurn(turn, NOT_TRANSCRIBED);
    speaker.discardHeldSpeech();
  }

  /** Nothing was said: the model's response is withdrawn, and held speech continues. */
  refuse(turn: CommittedTurn): void {
    this.dependencies.transcript.removeCustomerTurn(turn);
    this.ignore(turn);
  }

  /** The turn gets no response. Newer speech of the customer decides about held speech. */
  ignore({ isAsked, isAccepted }: CommittedTurn): void {
    const { transcript, speaker, customerSpeech, withdraw, askForRest } = this.dependencies;
    if (this.isUndecided) return;
    // The same response is to earlier words of the customer, which have stopped what was spoken.
    const isNeeded = !speaker.isTalking && transcript.memory.isCustomerLast;
    if (isAsked && !isAccepted && !isNeeded) withdraw();
    const isSpeaking = customerSpeech.isVoiced && !customerSpeech.isInNoise;
    if (!isSpeaking && speaker.resumeHeldSpeech()) askForRest();
  }

  /** A turn was decided. Resolves waiters when the customer neither speaks nor has undecided turns. */
  settle(): void {
    const { customerSpeech } = this.dependencies;
    if (customerSpeech.isVoiced) return;
    for (const [id, turn] of this.open) {
      if (turn.isAccepted || !turn.isOverdue) continue;
      // Its words may still come, unless the turn was refused.
      this.open.delete(id);
      this.decideWithoutWords(id, turn);
      if (turn.isAccepted) this.open.set(id, turn);
    }
    if (this.isUndecided) return;
    customerSpeech.markDecided();
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  /** Whether the customer says something, or has said something that is not decided. */
  get hasNewerSpeech(): boolean {
    return this.isUndecided || this.dependencies.customerSpeech.isSpeaking;
  }

  /** Whether a response is held. */
  get isUndecided(): boolean {
    return [...this.open.values()].some(({ isAccepted }) => !isAccepted);
  }

  /** Resolves when no response is held. */
  async waitUntilDecided(): Promise<void> {
    if (this.isUndecided) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  close(): void {
    for (const { cancel } of this.open.values()) cancel();
    this.open.clear();
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  /** While the customer speaks again nothing is decided. */
  private handleOverdue(turn: CommittedTurn): void {
    turn.isOverdue = true;
    this.settle();
  }
}

const isSpeech = ({ voicedMs, isOverSpeech }: CommittedTurn): boolean =>
  voicedMs >= (isOverSpeech ? SURE_VOICE_OVER_SPEECH_MS : MIN_VOICE_MS);

function holdMs(turn: Pick<CommittedTurn, 'voicedMs' | 'isOverSpeech'> & { isStrict: boolean }): number {
  const sureMs = turn.isOverSpeech ? SURE_VOICE_OVER_SPEECH_MS : SURE_VOICE_MS;
  return turn.voicedMs >= sureMs && !turn.isStrict ? SURE_HOLD_MS : HOLD_MS;
}
