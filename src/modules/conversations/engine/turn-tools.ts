import type { AnsweringModel, ModelMessage, ModelTool } from '../../llm/language-model.js';
import { builtInFunctions } from './built-in-functions.js';
import { isBuiltIn, modelTools } from './built-in-tools.js';
import type { Clock } from './clock.js';
import type { ConversationSettings } from './conversation-settings.js';
import type { CustomerVoice } from './customer-voice.js';
import { inactivityPrompts, type Nudge, systemPrompt } from './phrases.js';
import type { Speaker } from './speaker.js';
import type { SpokenLanguage } from './spoken-language.js';
import { ToolRound } from './tool-round.js';
import type { AgreeCallback, ToolRunner } from './tool-runner.js';
import type { Transcript } from './transcript.js';
import { TransferChoice } from './transfer-choice.js';

/** Dependencies that all turns of a conversation share. */
export interface TurnTools {
  clock: Clock;
  model: AnsweringModel;
  request: { model: string; temperature: number; tools: readonly ModelTool[] };
  /** The assistant's, before its variables are filled in. */
  prompt: string;
  /** Asked when `request.model` has nothing useful after `afterMs`; null: none. */
  fallback: { model: string | null; afterMs: number };
  instructions: () => ModelMessage;
  /** What the model is asked to do in a turn that the customer did not begin. */
  inactivityPrompts: Readonly<Record<Nudge, string>>;
  speaker: Speaker;
  transcript: Transcript;
  tools: ToolRound;
  transfers: TransferChoice;
  language: SpokenLanguage;
  /** Whether the customer is speaking. */
  customerSpeaks: () => boolean;
  /** Resolves when the customer has finished speaking, or has spoken for so long that the assistant may. */
  customerFinished: () => Promise<void>;
  /** Called when the model is asked with everything that was said so far. */
  onAsk: () => void;
}

export interface TurnParts {
  clock: Clock;
  model: AnsweringModel;
  tools: ToolRunner;
  agreeCallback: AgreeCallback;
  speaker: Speaker;
  transcript: Transcript;
  language: SpokenLanguage;
  voice: CustomerVoice;
  onAsk: () => void;
  /** Aborts when the conversation is over. */
  over: AbortSignal;
}

export function turnTools(parts: TurnParts, settings: ConversationSettings): TurnTools {
  const { clock, model, agreeCallback, speaker, transcript, language, voice, onAsk, over } = parts;
  const transfers = new TransferChoice(settings.transferTargets);
  const own = settings.tools.filter(({ name }) => !isBuiltIn(name, transfers.offered));
  const functions = builtInFunctions({ language, speaker, transfers, settings, agreeCallback }, own);
  return {
    clock,
    model,
    request: {
      model: settings.model,
      temperature: settings.temperature,
      tools: modelTools(own, settings.endCallDescription, functions),
    },
    prompt: settings.prompt,
    inactivityPrompts: inactivityPrompts(settings),
    fallback: { model: settings.fallbackModel, afterMs: settings.fallbackAfterMs },
    instructions: () => ({ role: 'system', text: systemPrompt(settings, language) + transfers.rule }),
    speaker,
    transcript,
    tools: new ToolRound(clock, parts.tools, transcript, own, functions, over),
    transfers,
    language,
    customerSpeaks: () => voice.speaks,
    customerFinished: () => voice.finished(),
    onAsk,
  };
}
