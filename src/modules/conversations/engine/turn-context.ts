import type { StreamingModel, ModelMessage, ModelTool } from '../../llm/language-model.js';
import { builtInFunctions } from './built-in-functions.js';
import { isReservedName, modelTools } from './built-in-tools.js';
import type { Clock } from './clock.js';
import type { CommittedTurns } from './committed-turns.js';
import type { ConversationSettings } from './conversation-settings.js';
import type { CustomerSpeech } from './customer-speech.js';
import type { Knowledge } from './knowledge-function.js';
import { triggerPrompts, type SystemTrigger, systemPrompt } from './phrases.js';
import type { Speaker } from './speaker.js';
import type { SpokenLanguage } from './spoken-language.js';
import { ToolRound } from './tool-round.js';
import type { BookCallback, ToolRunner } from './tool-runner.js';
import type { Transcript } from './transcript.js';
import { TransferTargets } from './transfer-targets.js';

/** Dependencies shared by all turns of a conversation. */
export interface TurnContext {
  clock: Clock;
  model: StreamingModel;
  request: { model: string; temperature: number; tools: readonly ModelTool[] };
  /** The assistant's prompt without filled-in variables. */
  prompt: string;
  /** Requested when `request.model` has sent nothing useful after `afterMs`; null: none. */
  fallback: { model: string | null; afterMs: number };
  instructions: () => ModelMessage;
  /** Instructions to the model for turns without an utterance of the customer. */
  triggerPrompts: Readonly<Record<SystemTrigger, string>>;
  speaker: Speaker;
  transcript: Transcript;
  tools: ToolRound;
  transfers: TransferTargets;
  language: SpokenLanguage;
  /** Milliseconds since the customer stopped speaking; 0 without a report. */
  waitedMs: () => number;
  /** Whether the customer is speaking, or the words are outstanding. */
  isCustomerSpeaking: () => boolean;
  /** Resolves when the customer has finished speaking, or after the maximum wait. */
  waitForCustomer: () => Promise<void>;
  /** Resolves when it is decided whether the customer said something. */
  waitForDecision: () => Promise<void>;
  /** Called when a request with the conversation so far is sent to the model. */
  onRequest: () => void;
}

export interface TurnContextOptions {
  clock: Clock;
  model: StreamingModel;
  tools: ToolRunner;
  bookCallback: BookCallback;
  /** Documents that are searched; null: none. */
  knowledge?: Knowledge | null;
  speaker: Speaker;
  transcript: Transcript;
  language: SpokenLanguage;
  customerSpeech: CustomerSpeech;
  committedTurns: CommittedTurns;
  onRequest: () => void;
  /** Aborts at the end of the conversation. */
  endSignal: AbortSignal;
}

export function createTurnContext(options: TurnContextOptions, settings: ConversationSettings): TurnContext {
  const { clock, model, bookCallback, speaker, transcript, language, customerSpeech, onRequest, endSignal } =
    options;
  const transfers = new TransferTargets(settings.transferTargets);
  const own = settings.tools.filter(({ name }) => !isReservedName(name, transfers.isAvailable));
  const { knowledge = null } = options;
  const functions = builtInFunctions(
    { language, speaker, transfers, settings, bookCallback, clock, knowledge },
    own,
  );
  return {
    clock,
    model,
    request: {
      model: settings.model,
      temperature: settings.temperature,
      tools: modelTools(own, settings.endCallDescription, functions),
    },
    prompt: settings.prompt,
    triggerPrompts: triggerPrompts(settings),
    fallback: { model: settings.fallbackModel, afterMs: settings.fallbackAfterMs },
    instructions: () => ({ role: 'system', text: systemPrompt(settings, language) + transfers.promptRule }),
    speaker,
    transcript,
    tools: new ToolRound(clock, options.tools, transcript, own, functions, endSignal),
    transfers,
    language,
    waitedMs: () => customerSpeech.waitedMs,
    isCustomerSpeaking: () => customerSpeech.isIncomplete,
    waitForCustomer: () => customerSpeech.waitUntilComplete(),
    waitForDecision: () => options.committedTurns.waitUntilDecided(),
    onRequest,
  };
}
