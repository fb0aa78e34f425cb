import type { CallSession, CallSessionEvent, SpeechOptions } from '#src/modules/telephony/call-session.js';
import { FakeLanguageModel } from '../../llm/language-model.fake.js';
import { FakeClock, flushPromises } from './clock.fake.js';
import { ConversationEngine } from './conversation-engine.js';
import type {
  ConversationRecorder,
  RecordedToolCall,
  RecordedTransfer,
  RecordedTurn,
  RecordedUsage,
  AnswererStep,
} from './conversation-recorder.js';
import type { ConversationSettings, ConversationTool, ConversationResult } from './conversation-settings.js';
import type { EarlierConversation } from './earlier-conversation.js';
import type { BookCallback, ToolOutcome, ToolRunner } from './tool-runner.js';

/** A call session with a customer scripted by the test. */
export class FakeCallSession implements CallSession {
  readonly openedAt = 0;
  readonly transcribesEach: boolean = false;
  readonly maxTranscriptDelayMs?: number;
  readonly frames: { token: string; last: boolean; options: SpeechOptions }[] = [];
  readonly languages: string[] = [];
  /** Events before the engine listened. */
  readonly early: CallSessionEvent[] = [];
  ended: string | null = null;
  private listener: (event: CallSessionEvent) => void = () => undefined;

  say(token: string, last: boolean, options: SpeechOptions): void {
    this.frames.push({ token, last, options });
  }

  sendDigits(digits: string): void {
    this.frames.push({
      token: `[${digits}]`,
      last: true,
      options: { interruptible: false, preemptible: false },
    });
  }

  switchLanguage(language: string): void {
    this.languages.push(language);
  }

  end(reason: string): void {
    this.ended = reason;
  }

  onEvent(listener: (event: CallSessionEvent) => void): void {
    this.listener = listener;
    for (const event of this.early) listener(event);
  }

  /** Emits an event of the session; resolves when the engine has handled it as far as possible at once. */
  async emit(event: CallSessionEvent): Promise<void> {
    this.listener(event);
    await flushPromises();
  }

  customerSays(text: string): Promise<void> {
    return this.emit({ kind: 'utterance', text, final: true });
  }

  interrupt(heard: string): Promise<void> {
    return this.emit({ kind: 'interrupted', heard });
  }

  /** Each finished speech as one text, without the blank token that only stops speech. */
  get speeches(): string[] {
    const said = this.frames.map(({ token, last }) => token + (last ? '\n' : '')).join('');
    return said.split('\n').filter((speech) => speech.trim() !== '');
  }
}

/** Keeps the transcript as the database would store it. */
export class FakeRecorder implements ConversationRecorder {
  flushes = 0;
  readonly turns = new Map<number, RecordedTurn>();
  readonly played = new Map<number, number>();
  readonly tools: RecordedToolCall[] = [];
  readonly transfers: RecordedTransfer[] = [];
  readonly usages: RecordedUsage[] = [];
  stopped = false;
  readonly screened: AnswererStep[] = [];
  result: ConversationResult | null = null;

  async storeTurn(turn: RecordedTurn): Promise<void> {
    this.turns.set(turn.seq, turn);
  }

  flush(): void {
    this.flushes++;
  }

  async truncateTurn(seq: number, heardText: string): Promise<void> {
    const turn = this.turns.get(seq);
    if (turn && heardText) this.turns.set(seq, { ...turn, text: heardText, interrupted: true });
    else this.turns.delete(seq);
  }

  async markTurnPlayed(seq: number, playedAt: number): Promise<void> {
    this.played.set(seq, playedAt);
  }

  async storeToolCall(call: RecordedToolCall): Promise<void> {
    this.tools.push(call);
  }

  async storeTransfer(transfer: RecordedTransfer): Promise<void> {
    this.transfers.push(transfer);
  }

  async storeUsage(usage: RecordedUsage): Promise<void> {
    this.usages.push(usage);
  }

  async suppressNumber(): Promise<void> {
    this.stopped = true;
  }

  async storeScreening(step: AnswererStep): Promise<void> {
    this.screened.push(step);
  }

  async storeEnd(result: ConversationResult): Promise<void> {
    this.result = result;
  }

  get lines(): string[] {
    const turns = [...this.turns.values()].sort((a, b) => a.seq - b.seq);
    return turns.map(({ role, text }) => `${role === 'assistant' ? 'AI' : 'Customer'}: ${text}`);
  }
}

/** A tool that responds after a delay, or at once at the end of the conversation. */
export class FakeToolRunner implements ToolRunner {
  readonly runs: { name: string; args: Record<string, unknown> }[] = [];
  outcome: ToolOutcome = { ok: true, result: { free: true }, durationMs: 100, statusCode: 200 };
  takesMs = 0;

  constructor(private readonly clock: FakeClock) {}

  async run(
    { name }: ConversationTool,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<ToolOutcome> {
    this.runs.push({ name, args });
    if (this.takesMs === 0) return this.outcome;
    await new Promise<void>((resolve) => {
      const cancel = this.clock.setTimeout(resolve, this.takesMs);
      signal.addEventListener('abort', () => (cancel(), resolve()));
    });
    return this.outcome;
  }
}

export const FAKE_TOOL: ConversationTool = {
  id: 7,
  name: 'check_slot',
  description: 'Whether an appointment is free.',
  parameters: [{ name: 'day', type: 'string', description: 'The day.' }],
};

/** Starts a conversation with fakes for all of its dependencies. */
export function startConversation(
  changes: Partial<ConversationSettings> = {},
  earlier: EarlierConversation | null = null,
  session = new FakeCallSession(),
) {
  const clock = new FakeClock();
  const recorder = new FakeRecorder();
  const tools = new FakeToolRunner(clock);
  const model = new FakeLanguageModel(clock);
  const settings: ConversationSettings = {
    model: 'gpt-test',
    fallbackModel: null,
    fallbackAfterMs: 3_000,
    temperature: 0.1,
    systemPrompt: 'You are Ada.',
    prompt: 'You are {name}.',
    language: 'en-US',
    otherLanguages: [],
    greeting: null,
    notice: null,
    tools: [FAKE_TOOL],
    transferTargets: [],
    endCallDescription: null,
    pressesKeys: false,
    callback: null,
    allowInterruptions: true,
    minInterruptWords: 0,
    fillers: null,
    speechSpeed: 1,
    reengagementSeconds: 30,
    maxSilenceSeconds: 40,
    reengagementPrompt: null,
    maxInitialSilenceSeconds: null,
    maxDurationSeconds: 600,
    ...changes,
  };
  const callbacks: string[] = [];
  const bookCallback: BookCallback = async (at) => (callbacks.push(at.toISOString()), null);
  const detection = { isPerson: false };
  const isReportedPerson = async () => detection.isPerson;
  const parts = { clock, session, model, tools, recorder, bookCallback, isReportedPerson };
  const engine = new ConversationEngine(parts, settings, earlier);
  let ended: ConversationResult | null = null;
  const begin = async () => {
    void engine.run().then((result) => (ended = result));
    await flushPromises();
  };
  const rest = { settings, engine, begin, result: () => ended };
  return { clock, session, recorder, tools, callbacks, detection, parts, model, ...rest };
}
