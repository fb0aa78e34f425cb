import type { ToolSpec } from './chat-request.js';
import { SWITCH_LANGUAGE } from './choose-tool.js';

const LANGUAGES: Record<string, string> = { english: 'en', french: 'fr', german: 'de', spanish: 'es' };

/** The requested language ("Can we speak German?"), of the function's allowed values. */
export function wantedLanguage(utterance: string, tools: readonly ToolSpec[]): unknown {
  const named = /\bspeak (\w+)/i.exec(utterance)?.[1]?.toLowerCase() ?? '';
  const tool = tools.find((one) => one.function.name === SWITCH_LANGUAGE);
  const offered = tool?.function.parameters?.properties?.['language']?.enum ?? [];
  const code = LANGUAGES[named];
  return offered.find((language) => code !== undefined && String(language).startsWith(`${code}-`)) ?? null;
}
