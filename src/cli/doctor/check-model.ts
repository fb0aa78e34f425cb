import { isSandboxModel } from '#src/config/known-values.js';
import type { Settings } from '#src/config/settings.js';
import { ask } from './ask.js';
import { fail, ok, warn, type Verdict } from './finding.js';

export async function checkModel({
  model,
  carrier,
  production,
}: Pick<Settings, 'model' | 'carrier' | 'production'>): Promise<Verdict> {
  if (production && isSandboxModel(model, carrier)) {
    return warn(
      'the sandbox, by ALLOW_SANDBOX: answers from a script',
      'set LLM_API_KEY, and take ALLOW_SANDBOX away',
    );
  }
  if (model === null) return ok('the sandbox: answers from a script');
  const { status, error } = await ask(`${model.baseUrl}/models`, `Bearer ${model.apiKey}`);
  if (status === null)
    return fail(`cannot be reached (${error})`, 'open the way to it, or correct LLM_BASE_URL');
  if (status === 401 || status === 403) return fail(`refuses the key (${status})`, 'correct LLM_API_KEY');
  if (status === 404) {
    return warn('answers, but lists no models', 'see that LLM_BASE_URL ends where /chat/completions begins');
  }
  if (status >= 400) return fail(`answers with ${status}`, 'see the state of the model provider');
  return ok('accepts the key');
}
