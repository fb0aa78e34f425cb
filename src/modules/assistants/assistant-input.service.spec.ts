import { describe, expect, it } from '@jest/globals';
import { Invalid } from '#src/common/errors/api-error.js';
import { assertValid, type AssistantInput } from './assistant-input.service.js';

const TEXT_MODEL = 1;
const REALTIME_MODEL = 9;

const draft = (unknown: string[] = []): AssistantInput => ({
  columns: {},
  toolIds: undefined,
  unknown,
  modelMode: (id) => (id === REALTIME_MODEL ? 'multimodal' : 'pipeline'),
});
const after = {
  mode: 'pipeline' as const,
  llmModelId: TEXT_MODEL,
  isWebhookActive: false,
  webhookUrl: null,
};

function errorsOf(run: () => void): unknown {
  try {
    run();
    return {};
  } catch (error) {
    return error instanceof Invalid ? error.errors : error;
  }
}

describe('classify', () => {
  it.each([
    after,
    { ...after, isWebhookActive: true, webhookUrl: 'https://example.com' },
    { ...after, webhookUrl: 'https://example.com' },
    { ...after, mode: 'multimodal' as const },
    { ...after, mode: 'multimodal' as const, llmModelId: REALTIME_MODEL },
  ])('accepts %j', (state) => {
    expect(() => assertValid(draft(), state)).not.toThrow();
  });

  it('names every field that is wrong at once', () => {
    const state = { ...after, llmModelId: REALTIME_MODEL, isWebhookActive: true };
    expect(errorsOf(() => assertValid(draft(['voice_id', 'tool_ids']), state))).toEqual({
      voice_id: ['The selected voice id is invalid.'],
      tool_ids: ['The selected tool ids is invalid.'],
      llm_model: ['The selected llm model is invalid.'],
      webhook_url: ['The webhook url field is required when is webhook active is true.'],
    });
  });
});
