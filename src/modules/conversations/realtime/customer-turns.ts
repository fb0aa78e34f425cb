import { LastWords } from '../../speech/last-words.js';
import { removeNonSpeech } from '../../speech/non-speech.js';
import type { RealtimeEvent } from '../../speech/realtime-model.js';
import { NOT_TRANSCRIBED } from '../engine/committed-turns.js';
import type { Clock } from '../engine/clock.js';

/** Maximum delay of the transcript after the end of an utterance; later it counts as not transcribed. */
export const TRANSCRIPT_TIMEOUT_MS = 5_000;
/** Time after the end of speech in which servers commit its audio; others do not report it. */
const COMMIT_TIMEOUT_MS = 250;
/** The turn in which the model failed: its words so far are lost. */
const UNENDED_TURN = 'unended';
/** Some minutes of speech. */
const MAX_UTTERANCE_CHARACTERS = 10_000;

/** Events of the customer's turns, which may follow the end of the call. */
export const isOfCustomer = ({ kind }: RealtimeEvent): boolean =>
  kind === 'speech' || kind === 'committed' || kind === 'heard';

export interface CustomerTurnsListener {
  /** The audio is in the model's conversation: it can be asked. */
  committed(turn: CustomerTurn): void;
  /** All words; `NOT_TRANSCRIBED` without a transcript, empty for a sound. */
  transcribed(turn: CustomerTurn, text: string): void;
  /** Audio of no turn, without words, is in the model's conversation. */
  noise(itemId: string): void;
  /** The call has ended, and no transcript is waited for. */
  waitOver(): void;
}

/** One turn of the customer at the realtime model. */
export interface CustomerTurn {
  itemId: string;
  /** Increases within the session. */
  number: number;
  voicedMs: number;
}

interface OpenTurn extends CustomerTurn {
  isCommitted: boolean;
  /** It is a turn only if it has words. */
  needsWords: boolean;
  cancel: () => void;
}

/** The customer's turns from the end of their speech to their transcript, which may arrive much later or never. */
export class CustomerTurns {
  private readonly open = new Map<string, OpenTurn>();
  /** Items whose speech has ended. */
  private readonly ended = new Set<string>();
  private count = 0;
  /** The customer is speaking. */
  isSpeaking = false;
  private hasEndedCall = false;
  private readonly lastWords: LastWords;

  constructor(
    private readonly clock: Clock,
    private readonly on: CustomerTurnsListener,
  ) {
    this.lastWords = new LastWords(() => {
      for (const itemId of this.open.keys()) this.handleTranscript(itemId, null);
      on.waitOver();
    });
  }

  speechStarted(): void {
    this.isSpeaking = true;
  }

  speechEnded(itemId: string, voicedMs: number): void {
    this.isSpeaking = false;
    this.add(itemId, voicedMs, false);
  }

  /** An item of audio in which the customer was not speaking, as far as is known: a turn only if it has words. */
  addNoise(itemId: string): void {
    if (!this.ended.has(itemId)) this.add(itemId, 0, true);
  }

  /** The model failed. */
  breakOff(voicedMs: number): void {
    if (this.isSpeaking) this.speechEnded(UNENDED_TURN, voicedMs);
  }

  /** Whether an item is of the customer's present speech, and not of a turn that has ended. */
  isBeingSpoken(itemId: string): boolean {
    return this.isSpeaking && !this.ended.has(itemId);
  }

  commit(itemId: string): void {
    const turn = this.open.get(itemId);
    if (!turn || turn.isCommitted || turn.needsWords) return;
    turn.isCommitted = true;
    this.on.committed(turn);
  }

  /** @param transcript null: none. Without a turn it is one after its timeout. */
  handleTranscript(itemId: string, transcript: string | null): void {
    const turn = this.open.get(itemId);
    if (!turn) return;
    const text = transcript === null ? NOT_TRANSCRIBED : removeNonSpeech(transcript).trim();
    this.open.delete(itemId);
    turn.cancel();
    if (turn.needsWords && (text === '' || text === NOT_TRANSCRIBED)) this.on.noise(itemId);
    else this.on.transcribed(turn, text.slice(0, MAX_UTTERANCE_CHARACTERS));
    if (this.hasEndedCall && !this.isOutstanding) this.lastWords.end();
  }

  /** The call has ended. @param mayFollow false: the transcripts are lost */
  startWait(mayFollow: boolean): void {
    this.hasEndedCall = true;
    if (!mayFollow) for (const itemId of this.open.keys()) this.commit(itemId);
    if (!mayFollow || !this.isOutstanding) this.lastWords.end();
    else this.lastWords.start((task, ms) => this.clock.setTimeout(task, ms));
  }

  /** Resolves at the end of the wait. */
  get waitOver(): Promise<void> {
    return this.lastWords.received;
  }

  private add(itemId: string, voicedMs: number, needsWords: boolean): void {
    this.ended.add(itemId);
    const committing = this.clock.setTimeout(() => this.commit(itemId), COMMIT_TIMEOUT_MS);
    const waiting = this.clock.setTimeout(() => this.handleTranscript(itemId, null), TRANSCRIPT_TIMEOUT_MS);
    const cancel = (): void => (committing(), waiting());
    const number = ++this.count;
    this.open.set(itemId, { itemId, number, voicedMs, isCommitted: false, needsWords, cancel });
  }

  private get isOutstanding(): boolean {
    return this.isSpeaking || this.open.size > 0;
  }
}
