import type { ModelUsage } from '../../llm/language-model.js';
import { CALL_SCREENING } from './call-screening.js';
import type { HistoryEntry } from './earlier-conversation.js';
import type { Clock } from './clock.js';
import type { RecordedToolCall, RecorderQueue, ScreeningStep, TurnTimings } from './conversation-recorder.js';
import type { InterruptedSpeech, PlaybackListener } from './playback-listener.js';
import type { Speech } from './speech.js';
import { SEND_DIGITS, switchedLanguage } from './built-in-tools.js';
import { PressedDigits } from './pressed-digits.js';
import { IvrMenuDetector } from './ivr-menu-detector.js';
import type { TransferTarget } from './conversation-settings.js';
import type { TurnRedactor } from '../../redaction/turn-redactor.js';
import { ConversationMemory, type CustomerEntry } from './conversation-memory.js';

/** Interval in which streaming speech is stored. */
const STORE_INTERVAL_MS = 1_000;
/** The same in sessions with exact reports: their audio stops with the process, and stored text counts as heard. */
const STORE_HEARD_INTERVAL_MS = 200;

/** A turn of the customer in the memory and, by its number, in the record. */
export interface OpenCustomerTurn {
  readonly entry: CustomerEntry;
  readonly seq: number;
  readonly timings: TurnTimings;
}

/** Keeps the heard conversation in two places: the memory for the model, and the record. */
export class Transcript {
  readonly memory: ConversationMemory;
  private readonly menuDetector = new IvrMenuDetector();
  private readonly pressedDigits = new PressedDigits();
  private lastSeq: number;
  /** Turns of the customer in the memory, by their numbers. */
  private readonly customerEntries = new Map<number, CustomerEntry>();

  /** @param redactor hides numbers from the model; null: it gets the customer's words */
  constructor(
    private readonly clock: Clock,
    private readonly recorderQueue: RecorderQueue,
    history: readonly HistoryEntry[],
    private readonly redactor: TurnRedactor | null = null,
  ) {
    this.memory = new ConversationMemory(history);
    this.lastSeq = Math.max(0, ...history.map(({ seq }) => seq));
  }

  /**
   * Takes the place of a customer's turn before its words are known.
   *
   * @param silentAt when the customer stopped speaking, if known
   */
  beginCustomerTurn(text: string, silentAt: number | null): OpenCustomerTurn {
    const timings = { prompt: this.clock.now(), ...(silentAt !== null && { silent: silentAt }) };
    return { entry: this.memory.addCustomer(text), seq: ++this.lastSeq, timings };
  }

  /** @param stored text for the record, where it is masked */
  completeCustomerTurn({ entry, seq, timings }: OpenCustomerTurn, text: string, stored = text): void {
    this.setCustomerText(entry, seq, text);
    if (stored !== text) this.pressedDigits.add(text);
    if (this.menuDetector.detectMenu(text)) this.storeMenuStep();
    const masked = this.pressedDigits.maskText(stored);
    const turn = { seq, role: 'customer', kind: 'speech', text: masked } as const;
    this.recorderQueue.push((recorder) => recorder.storeTurn({ ...turn, interrupted: false, timings }));
  }

  /** Of a number that is dictated in several turns, the last one shows what the earlier ones are. */
  private setCustomerText(entry: CustomerEntry, seq: number, text: string): void {
    entry.customer = text;
    if (!this.redactor) return;
    this.customerEntries.set(seq, entry);
    this.redactor.addAssistant(this.memory.lastAssistantText);
    for (const turn of this.redactor.addCustomer(seq, text)) {
      const changed = this.customerEntries.get(turn.seq);
      if (changed) changed.customer = turn.text;
    }
  }

  /** It was a sound. */
  removeCustomerTurn({ entry, seq }: OpenCustomerTurn): void {
    const at = this.clock.now();
    this.memory.removeCustomer(entry);
    this.recorderQueue.push((recorder) => recorder.truncateTurn(seq, '', at));
  }

  /**
   * Resolves when the customer's words are stored, or after a timeout. A process that continues the call then has
   * the question of each response that the customer heard.
   */
  waitUntilCustomerStored(): Promise<void> {
    return this.recorderQueue.waitBeforeResponse();
  }

  /** A part was sent, which is played even if this process terminates. */
  storeProgress(speech: Speech): void {
    const everyMs = speech.timings.heardTo === undefined ? STORE_INTERVAL_MS : STORE_HEARD_INTERVAL_MS;
    if (speech.seq === null || this.clock.now() - speech.storedAt >= everyMs) this.store(speech);
  }

  /** All of it was sent; the heard part is known later. */
  storeSent(speech: Speech): void {
    speech.timings.textLast = this.clock.now();
    this.store(speech);
  }

  /** Stores what is played. @param onPlayed called when a speech was played to its end */
  playbackListener(onPlayed: () => void): PlaybackListener {
    return {
      pieceReported: (speech) => this.storeProgress(speech),
      speechPlayed: (speech) => {
        this.markPlayed(speech);
        onPlayed();
      },
      speechReworded: (speech) => this.store(speech),
      speechStopped: (cuts) => cuts.forEach((cut) => this.truncateTurn(cut)),
    };
  }

  markPlayed(speech: Speech): void {
    const at = this.clock.now();
    const { seq } = speech;
    if (speech.hasUnknownEnd) this.store(speech);
    updateMemory(speech, speech.text.trim());
    if (seq !== null) this.recorderQueue.push((recorder) => recorder.markTurnPlayed(seq, at));
  }

  /** Shortens the record to the heard part. */
  truncateTurn({ speech, heard }: InterruptedSpeech): void {
    const at = this.clock.now();
    const { seq } = speech;
    speech.timings.interrupted = at;
    updateMemory(speech, heard);
    const stored = this.pressedDigits.maskText(heard);
    if (seq !== null) this.recorderQueue.push((recorder) => recorder.truncateTurn(seq, stored, at));
  }

  /** Shortens the memory for speech that is about to stop. */
  truncateMemory({ speech, heard }: InterruptedSpeech): void {
    updateMemory(speech, heard);
  }

  addToolCall(call: Omit<RecordedToolCall, 'seq'>): void {
    const seq = ++this.lastSeq;
    const language = switchedLanguage(call);
    if (language !== null) this.redactor?.changeLanguage(language);
    const args = this.pressedDigits.maskArguments(call.arguments);
    const answer = this.pressedDigits.maskText(call.answer);
    this.recorderQueue.push((recorder) => recorder.storeToolCall({ ...call, arguments: args, answer, seq }));
    if (call.name === SEND_DIGITS && call.outcome.ok && this.menuDetector.handleKeysSent())
      this.storeMenuStep();
  }

  /** Stored before the words, as in `addScreeningStep`. */
  private storeMenuStep(): void {
    this.recorderQueue.push((recorder) => recorder.storeScreening('menu'));
  }

  /** Stores the step before its words, so that readers of the words know their meaning. */
  addScreeningStep(step: ScreeningStep): void {
    this.recorderQueue.push((recorder) => recorder.storeScreening(step));
    const outcome = { ok: true, result: null, durationMs: 0, statusCode: null } as const;
    this.addToolCall({ name: CALL_SCREENING, arguments: { step }, outcome, answer: '' });
  }

  /** Resolves when it is stored, or after a timeout: then the call is not transferred. */
  storeTransfer({ name, phoneNumber }: TransferTarget): Promise<void> {
    const transfer = { seq: ++this.lastSeq, name, phoneNumber };
    return this.recorderQueue.pushAndWait((recorder) => recorder.storeTransfer(transfer));
  }

  storeUsage({ model, prompt, cached, completion }: ModelUsage & { model: string }): void {
    const usage = { model, prompt, cached, completion, afterSeq: this.lastSeq };
    this.recorderQueue.push((recorder) => recorder.storeUsage(usage));
  }

  private store(speech: Speech): void {
    const text = speech.text.trim();
    updateMemory(speech, text);
    if (text === '') return;
    const seq = (speech.seq ??= ++this.lastSeq);
    speech.storedAt = this.clock.now();
    if (speech.isQueued) return;
    speech.isQueued = true;
    this.recorderQueue.push((recorder) => {
      speech.isQueued = false;
      const timings = { ...speech.timings, playing: Math.round(speech.startsAt) };
      const masked = this.pressedDigits.maskText(speech.text.trim());
      const kind = speech.entry ? 'speech' : 'filler';
      return recorder.storeTurn({ seq, role: 'assistant', kind, text: masked, timings, interrupted: false });
    });
  }
}

/** An interrupted and continued response has more than one speech. */
function updateMemory({ entry, earlierText: before }: Speech, text: string): void {
  if (entry) entry.text = [before, text].filter(Boolean).join(' ');
}
