import { SANDBOX_ACCOUNT_SID, SANDBOX_AUTH_TOKEN } from '../../sandbox/defaults.js';
import { startSandbox } from '../../sandbox/sandbox.js';
import type { BenchDatabase } from '../support/database.js';
import { say } from '../support/progress.js';
import { withVoiceService, type VoiceService } from '../support/voice-service.js';
import { phoneCall, webCall, type LivelyCall, type MeasuredCall } from './lively-calls.js';

/** Calls at once whose audio two cores transmit in time: a browser is a process of its own. */
const AT_ONCE = { phone: 25, web: 10 };

/** Default settings of turn-taking. */
export const PLAIN = {
  calls_direction: 'make',
  endpoint_type: 'vad',
  endpoint_sensitivity: 0.5,
  interrupt_sensitivity: 0.5,
  speech_speed: 1,
  filler_audios: false,
  is_webhook_active: false,
  end_call_tool: null,
  max_call_duration: 120,
  initial_message: 'Hello, this is Ada of the restaurant at the harbour. How can I help you?',
};
const MULTIMODAL = { engine_type: 'multimodal', llm_model: 'gpt-realtime-2.1', voice_id: 70 };
const PROVIDERS = { synthesizer_provider_id: 1, transcriber_provider_id: 2 };

export interface Line {
  /** Of the assistant. */
  fields: Record<string, unknown>;
  place: LivelyCall;
  /** Number of calls at once. */
  atOnce: number;
}

export const LINES = {
  multimodal: { fields: MULTIMODAL, place: phoneCall, atOnce: AT_ONCE.phone },
  providers: { fields: PROVIDERS, place: phoneCall, atOnce: AT_ONCE.phone },
  'web, multimodal': { fields: MULTIMODAL, place: webCall, atOnce: AT_ONCE.web },
  'web, providers': { fields: PROVIDERS, place: webCall, atOnce: AT_ONCE.web },
} satisfies Record<string, Line>;

export interface Round {
  /** At most 100: each telephone has one call at a time. */
  calls: number;
  /** Of the service. */
  env?: Record<string, string>;
  /** Runs before the first call. */
  prepare?: (sandboxUrl: string) => Promise<void>;
}

/** Places calls on a line, a few at once, to an own service and sandbox. */
export async function callsOn(
  database: BenchDatabase,
  name: string,
  { fields, place, atOnce }: Line,
  { calls, env = {}, prepare = async () => undefined }: Round,
): Promise<MeasuredCall[]> {
  const secrets = { accountSid: SANDBOX_ACCOUNT_SID, authToken: SANDBOX_AUTH_TOKEN, apiKey: 'bench' };
  const sandbox = await startSandbox({ port: 0, ...secrets, speechConcurrency: calls });
  try {
    await prepare(sandbox.url);
    const work = async (voice: VoiceService): Promise<MeasuredCall[]> => {
      const site = { database, voice, sandboxUrl: sandbox.url };
      const measured: MeasuredCall[] = [];
      let begun = 0;
      const worker = async (): Promise<void> => {
        while (begun < calls) {
          measured.push(await place(site, begun++));
          say(`voice: ${name}, ${measured.length} of ${calls} calls`);
        }
      };
      await Promise.all(Array.from({ length: Math.min(atOnce, calls) }, worker));
      return measured;
    };
    return await withVoiceService(database, sandbox.url, { ...PLAIN, ...fields }, work, env);
  } finally {
    await sandbox.close();
  }
}
