import { LANGUAGE_MODELS } from '#src/database/seed/catalogue-data.js';
import type { Expectations, Scenario } from './scenario.types.js';

export const REALTIME_MODEL = 'gpt-realtime';
const { fallback_model_id: writer } = LANGUAGE_MODELS.find(({ name }) => name === REALTIME_MODEL) ?? {};
/** Writes what the realtime model cannot. */
const WRITER = LANGUAGE_MODELS.find(({ id }) => id === writer)?.name ?? '';

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
