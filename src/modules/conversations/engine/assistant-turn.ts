import { Logger } from '@nestjs/common';
import {
  type LanguageModel,
  type ModelMessage,
  type ModelTool,
  type ModelToolCall,
  LanguageModelError,
} from '../../llm/language-model.js';
import { BUILT_IN_ENDS } from './built-in-tools.js';
import type { Clock } from './clock.js';
import type { TurnTimings } from './conversation-recorder.js';
import type { Cue } from './turn-queue.js';
import type { Fillers } from './fillers.js';
import type { AssistantEntry } from './conversation-memory.js';
import type { Transcript } from './transcript.js';
import { INACTIVITY_PROMPTS } from './phrases.js';
import type { Speaker } from './speaker.js';
import { ToolRound } from './tool-round.js';

const FILLER_AFTER_MS = 700;
/** After this many consecutive rounds of tools the model has to speak. */
const MAX_TOOL_ROUNDS = 5;

/** `failed`: the model returned nothing to say, also after a second request. */
export type TurnOutcome = 'said' | 'aborted' | 'failed' | 'goodbye' | 'stop_calling';

/** Dependencies that all turns of a conversation share. */
export interface TurnTools {
  clock: Clock;
  model: LanguageModel;
  request: { model: string; temperature: number; tools: readonly ModelTool[] };
  instructions: ModelMessage;
  speaker: Speaker;
  transcript: Transcript;
  tools: ToolRound;
  fillers: Fillers | null;
  /** Called when the model is asked with everything that was said so far. */
  onAsk: () => void;
}

interface Listening {
  text: boolean;
  calls: ModelToolCall[];
}

/** One turn of the assistant: asks the model, speaks while the answer streams, runs tools, and asks again. */
export class AssistantTurn {
  private readonly logger = new Logger(AssistantTurn.name);
  private readonly controller = new AbortController();
  private readonly timings: TurnTimings;
  private filled = false;
  private running = false;
  private said = false;

  constructor(
    private readonly shared: TurnTools,
    private readonly cue: Cue,
  ) {
    this.timings = cue === 'answer' ? { prompt: shared.clock.now() } : {};
  }

  /** Whether anything but a filler was spoken. */
  get spoke(): boolean {
    return this.said;
  }

  get toolRuns(): boolean {
    return this.running;
  }

  /** Stops the model, but not a running tool, whose effect may not be repeatable. */
  abort(): void {
    this.controller.abort();
  }

  async run(): Promise<TurnOutcome> {
    for (let round = 0; ; round += 1) {
      const entry = this.shared.transcript.memory.assistant();
      const calls = await this.ask(entry, round < MAX_TOOL_ROUNDS);
      if (this.controller.signal.aborted) return 'aborted';
      if (calls === null) return 'failed';
      if (calls.length === 0) return 'said';
      await this.runTools(calls, entry);
      if (this.controller.signal.aborted) return 'aborted';
      const end = calls.map(({ name }) => BUILT_IN_ENDS.get(name)).find((reason) => reason !== undefined);
      if (end) return end;
    }
  }

  private async runTools(calls: readonly ModelToolCall[], entry: AssistantEntry): Promise<void> {
    if (ToolRound.lasting(calls).length === 0) return;
    if (!this.said) this.fill();
    this.running = true;
    await this.shared.tools.run(calls, entry);
    this.running = false;
  }

  /** @returns the tools to run; null when the model failed, after one more try where that makes sense. */
  private async ask(entry: AssistantEntry, mayCallTools: boolean): Promise<ModelToolCall[] | null> {
    for (const lastTry of [false, true]) {
      const heard: Listening = { text: false, calls: [] };
      try {
        await this.listen(entry, mayCallTools, heard);
        const calls = mayCallTools ? heard.calls : [];
        if (heard.text || calls.length > 0 || this.controller.signal.aborted) return calls;
        throw new LanguageModelError('The language model said nothing', true);
      } catch (error) {
        if (!(error instanceof LanguageModelError)) throw error;
        this.logger.warn(error.message);
        this.shared.speaker.finish();
        // No second request after speech has begun: it would be spoken twice.
        if (lastTry || !error.retryable || heard.text) return null;
      }
    }
    return null;
  }

  /** Speaks the model's answer while it comes. */
  private async listen(entry: AssistantEntry, mayCallTools: boolean, heard: Listening): Promise<void> {
    const { clock, model, request, speaker, onAsk } = this.shared;
    const { signal } = this.controller;
    const timings: TurnTimings = { ...this.timings };
    const cancelFiller = this.said ? () => undefined : clock.setTimeout(() => this.fill(), FILLER_AFTER_MS);
    onAsk();
    try {
      for await (const delta of model.stream(
        { ...request, messages: this.messages(), mayCallTools },
        signal,
      )) {
        timings.modelFirst ??= clock.now();
        if (delta.kind === 'tool_call') {
          heard.calls.push(delta);
          continue;
        }
        if (!heard.text && delta.text.trim() === '') continue;
        cancelFiller();
        if (!heard.text) await speaker.floor();
        if (signal.aborted) return;
        speaker.say(delta.text, entry, timings);
        heard.text = this.said = true;
      }
    } finally {
      cancelFiller();
    }
    if (!signal.aborted) speaker.finish();
  }

  private messages(): ModelMessage[] {
    const { instructions, transcript } = this.shared;
    const messages = [instructions, ...transcript.memory.messages()];
    if (this.cue !== 'answer') messages.push({ role: 'system', text: INACTIVITY_PROMPTS[this.cue] });
    return messages;
  }

  private fill(): void {
    const { fillers, speaker, transcript } = this.shared;
    const phrase = this.filled ? null : fillers?.pick(transcript.memory.lastHeard);
    if (!phrase) return;
    this.filled = true;
    speaker.fill(phrase);
  }
}
