import type { ModelUsage } from '../../llm/language-model.js';
import { CALL_SCREENING } from './call-screening.js';
import type { HistoryEntry } from './earlier-conversation.js';
import type { Clock } from './clock.js';
import type { RecordedToolCall, RecordingQueue, ScreeningStep } from './conversation-recorder.js';
import type { Cut } from './playback.js';
import type { Speech } from './speech.js';
import { SEND_DIGITS } from './built-in-tools.js';
import { PressedDigits } from './pressed-digits.js';
import { RecordedMenu } from './recorded-menu.js';
import type { TransferTarget } from './conversation-settings.js';
import { ConversationMemory } from './conversation-memory.js';

/** How often speech is stored whose text still comes. */
const STORE_MS = 1_000;
/** The same where the session tells what was heard: the audio stops with the process, and what is stored was heard. */
const STORE_HEARD_MS = 200;

/** Keeps what was heard in two places: for the model, and for the record. */
export class Transcript {
  readonly memory: ConversationMemory;
  private readonly menu = new RecordedMenu();
  private readonly pressed = new PressedDigits();
  private lastSeq: number;

  constructor(
    private readonly clock: Clock,
    private readonly records: RecordingQueue,
    history: readonly HistoryEntry[],
  ) {
    this.memory = new ConversationMemory(history);
    this.lastSeq = Math.max(0, ...history.map(({ seq }) => seq));
  }

  /**
   * @param stored what the record keeps where it is less than the model gets
   * @param silentAt when the customer stopped speaking, where that is known
   */
  customer(text: string, stored = text, silentAt: number | null = null): void {
    this.memory.customer(text);
    if (stored !== text) this.pressed.add(text);
    if (this.menu.hears(text)) this.menuAnswers();
    const turn = { seq: ++this.lastSeq, role: 'customer', text: stored, interrupted: false } as const;
    const timings = { prompt: this.clock.now() };
    const silent = silentAt === null ? {} : { silentAt };
    this.records.push((recorder) => recorder.turn({ ...turn, timings, ...silent }));
  }

  /**
   * Resolves when what the customer said is stored, or takes too long. A process that takes the call over then knows
   * the question of each answer that the customer heard.
   */
  customerStored(): Promise<void> {
    return this.records.storedBeforeAnswer();
  }

  /** Part of it was sent, which is heard also when this process dies. */
  saying(speech: Speech): void {
    const everyMs = speech.timings.heardTo === undefined ? STORE_MS : STORE_HEARD_MS;
    if (speech.seq === null || this.clock.now() - speech.storedAt >= everyMs) this.store(speech);
  }

  /** All of it was sent; what of it is heard comes out later. */
  said(speech: Speech): void {
    speech.timings.textLast = this.clock.now();
    this.store(speech);
  }

  played(speech: Speech): void {
    const at = this.clock.now();
    const { seq } = speech;
    if (speech.mayBeLonger) this.store(speech);
    remember(speech, speech.text.trim());
    if (seq !== null) this.records.push((recorder) => recorder.turnPlayed(seq, at));
  }

  /** The record keeps no more than was heard. */
  cut({ speech, heard }: Cut): void {
    const at = this.clock.now();
    const { seq } = speech;
    speech.timings.interrupted = at;
    remember(speech, heard);
    if (seq !== null) this.records.push((recorder) => recorder.turnCut(seq, heard, at));
  }

  /** What the model is told of speech that is about to stop. */
  cutForNow({ speech, heard }: Cut): void {
    remember(speech, heard);
  }

  toolCall(call: Omit<RecordedToolCall, 'seq'>): void {
    const seq = ++this.lastSeq;
    const args = this.pressed.masked(call.arguments);
    this.records.push((recorder) => recorder.toolCall({ ...call, arguments: args, seq }));
    if (call.name === SEND_DIGITS && call.outcome.ok && this.menu.keysSent()) this.menuAnswers();
  }

  /** Stored before the words, as `screening` is. */
  private menuAnswers(): void {
    this.records.push((recorder) => recorder.screening('menu'));
  }

  /** The step is stored before the words that it follows from: whoever finds the words knows what they mean. */
  screening(step: ScreeningStep): void {
    this.records.push((recorder) => recorder.screening(step));
    const outcome = { ok: true, result: null, durationMs: 0, statusCode: null } as const;
    this.toolCall({ name: CALL_SCREENING, arguments: { step }, outcome, answer: '' });
  }

  /** Resolves when it is stored, or cannot be for long: then the call is not handed over. */
  transferred({ name, phoneNumber }: TransferTarget): Promise<void> {
    const transfer = { seq: ++this.lastSeq, name, phoneNumber };
    return this.records.stored((recorder) => recorder.transfer(transfer));
  }

  modelUsed({ model, prompt, cached, completion }: ModelUsage & { model: string }): void {
    const usage = { model, prompt, cached, completion, afterSeq: this.lastSeq };
    this.records.push((recorder) => recorder.modelUsed(usage));
  }

  private store(speech: Speech): void {
    const text = speech.text.trim();
    if (!speech.entry) return;
    remember(speech, text);
    if (text === '') return;
    const seq = (speech.seq ??= ++this.lastSeq);
    speech.storedAt = this.clock.now();
    if (speech.awaitsRecord) return;
    speech.awaitsRecord = true;
    this.records.push((recorder) => {
      speech.awaitsRecord = false;
      const timings = { ...speech.timings, playing: Math.round(speech.startsAt) };
      const turn = { seq, role: 'assistant', text: speech.text.trim(), timings, interrupted: false } as const;
      return recorder.turn(turn);
    });
  }
}

/** An answer that was interrupted and went on has more than one speech. */
function remember({ entry, before }: Speech, text: string): void {
  if (entry) entry.text = [before, text].filter(Boolean).join(' ');
}
