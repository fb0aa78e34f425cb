import type { Expectations, Scenario } from './scenario.types.js';
import { SHIPPED_CATALOGUE } from './shipped-catalogue.js';

export const REALTIME_MODEL = 'gpt-realtime-2.1';
/** Writes what the realtime model cannot. */
const WRITER = SHIPPED_CATALOGUE.fallbackOf(REALTIME_MODEL)?.name ?? '';

/** Whether a scenario is about the relay itself: its frames, its errors, its voices. */
export const speaksOfRelay = ({ script, call }: Scenario): boolean =>
  call.first_error !== null ||
  call.refuses_voice ||
  script.some(({ frame, line_error: error }) => frame !== undefined || error !== undefined);

/** What holds in multimodal mode: not the attributes of the relay, nor the chat model and its settings. */
export function inMultimodalMode(expect: Expectations): Expectations {
  const { rendered: _first, rendered_last: _last, settings_not_applied: _names, ...rest } = expect;
  const { asked, evaluation } = rest;
  return {
    ...rest,
    ...(asked && { asked: asked.map(({ model: _model, temperature: _temperature, ...rule }) => rule) }),
    ...(evaluation && { evaluation: { ...evaluation, model: WRITER } }),
  };
}
