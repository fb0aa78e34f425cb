import type { SearchOptions } from '../redaction/find-numbers.js';
import {
  redactInterrupted,
  redactJsonText,
  redactStart,
  redactText,
  redactUnfinished,
  redactValue,
} from '../redaction/redact-text.js';
import { HOLD_ALL, TurnRedactor } from '../redaction/turn-redactor.js';
import { switchedLanguage } from './engine/built-in-tools.js';
import type {
  AnswererStep,
  ConversationRecorder,
  RecordedToolCall,
  RecordedTransfer,
  RecordedTurn,
  RecordedUsage,
} from './engine/conversation-recorder.js';
import type { ConversationResult } from './engine/conversation-settings.js';

/** Turns that may still change: those of a long number, and speech that is playing. */
const MAX_KEPT = 32;

/** Hides numbers in all that is stored of a conversation, also in speech that is not finished. */
export class RedactingRecorder implements ConversationRecorder {
  /** As of the last entry that is stored: an entry whose write fails comes again. */
  private turns: TurnRedactor;
  /** The last turns as they were said, by their numbers. */
  private readonly kept = new Map<number, RecordedTurn>();

  constructor(
    private readonly recorder: ConversationRecorder,
    private options: SearchOptions,
  ) {
    this.turns = new TurnRedactor(options, HOLD_ALL);
  }

  async storeTurn(turn: RecordedTurn): Promise<void> {
    this.keep(turn);
    if (turn.role === 'assistant') return this.storeSpeech(turn);
    const turns = this.turns.copy();
    await this.storeChanged(turns.addCustomer(turn.seq, turn.text));
    this.turns = turns;
  }

  /** What is left of a number that was interrupted is hidden, too. */
  async truncateTurn(seq: number, heardText: string, interruptedAt: number): Promise<void> {
    const said = this.kept.get(seq);
    const text = said?.text.startsWith(heardText) ? said.text : heardText;
    const isEnded = said?.text === text && isWhole(said);
    const heard = isEnded
      ? redactStart(text, heardText.length, this.options)
      : redactInterrupted(text, this.options, heardText.length);
    await this.recorder.truncateTurn(seq, heard, interruptedAt);
    this.kept.delete(seq);
  }

  async markTurnPlayed(seq: number, playedAt: number): Promise<void> {
    const turn = this.kept.get(seq);
    // The carrier speaks some texts, which are never sent as finished.
    if (turn && !isWhole(turn)) await this.recorder.storeTurn(this.redactSpeech(turn));
    this.kept.delete(seq);
    await this.recorder.markTurnPlayed(seq, playedAt);
  }

  async storeToolCall({ answer, outcome, ...call }: RecordedToolCall): Promise<void> {
    const { options } = this;
    await this.recorder.storeToolCall({
      ...call,
      arguments: this.redactArguments(call.arguments),
      answer: redactJsonText(answer, options),
      outcome: outcome.ok ? outcome : { ...outcome, error: redactText(outcome.error, options) },
    });
    const language = switchedLanguage({ ...call, outcome });
    if (language === null) return;
    this.options = { ...options, language };
    this.turns.changeLanguage(language);
  }

  /** Of a tool, as they are stored now. */
  redactArguments<Arguments>(given: Arguments): Arguments {
    return redactValue(given, this.options);
  }

  storeUsage(usage: RecordedUsage): Promise<void> {
    return this.recorder.storeUsage(usage);
  }

  storeTransfer(transfer: RecordedTransfer): Promise<void> {
    return this.recorder.storeTransfer(transfer);
  }

  suppressNumber(): Promise<void> {
    return this.recorder.suppressNumber();
  }

  storeScreening(step: AnswererStep): Promise<void> {
    return this.recorder.storeScreening(step);
  }

  async storeEnd(result: ConversationResult): Promise<void> {
    const turns = this.turns.copy();
    await this.storeChanged(turns.finish());
    await this.recorder.storeEnd(result);
    this.turns = turns;
  }

  flush(): void {
    this.recorder.flush();
  }

  private async storeSpeech(turn: RecordedTurn): Promise<void> {
    if (turn.kind === 'speech') this.turns.addAssistant(turn.text);
    if (isWhole(turn)) return this.recorder.storeTurn(this.redactSpeech(turn));
    const redactPart = isFinished(turn) ? redactInterrupted : redactUnfinished;
    const text = redactPart(turn.text, this.options);
    if (text !== '') await this.recorder.storeTurn(this.withHeardPart({ ...turn, text }, turn.text));
  }

  private redactSpeech(turn: RecordedTurn): RecordedTurn {
    return this.withHeardPart({ ...turn, text: redactText(turn.text, this.options) }, turn.text);
  }

  /** The heard part is a number of characters. */
  private withHeardPart(turn: RecordedTurn, said: string): RecordedTurn {
    const { heardTo } = turn.timings;
    if (heardTo === undefined || turn.text === said) return turn;
    const heard = Math.min(turn.text.length, redactStart(said, heardTo, this.options).length);
    return { ...turn, timings: { ...turn.timings, heardTo: heard } };
  }

  private async storeChanged(changed: readonly { seq: number; text: string }[]): Promise<void> {
    for (const { seq, text } of changed) {
      const turn = this.kept.get(seq);
      if (turn) await this.recorder.storeTurn({ ...turn, text });
    }
  }

  private keep(turn: RecordedTurn): void {
    this.kept.delete(turn.seq);
    this.kept.set(turn.seq, turn);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_KEPT && oldest !== undefined) this.kept.delete(oldest);
  }
}

const isFinished = ({ timings }: RecordedTurn): boolean => timings.textLast !== undefined;

/** Speech that the customer interrupts is finished, too, wherever it was; only sentences have an end. */
const isWhole = (turn: RecordedTurn): boolean => isFinished(turn) && /[.!?…。！？]["'”»)]*$/u.test(turn.text);
