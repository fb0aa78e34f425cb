import { describe, expect, it } from '@jest/globals';
import { Invalid } from '#src/common/errors/api-error.js';
import { Catalog } from '../catalog/catalog.js';
import { LanguageModelEntry, Voice } from '../catalog/entities/catalog.entities.js';
import {
  assertValidAssistant,
  selectChangedAssistant,
  readSettings,
  type AssistantInput,
} from './assistant-input.js';
import { ASSISTANT_DEFAULTS } from './assistant-defaults.js';
import type { UpdateAssistantDto } from './dto/assistant-input.dto.js';
import { Assistant } from './entities/assistant.entity.js';
import { defaultFillers } from './filler-phrases.js';

const TEXT_MODEL = 1;
const OTHER_TEXT_MODEL = 2;
const REALTIME_MODEL = 9;
const OTHER_REALTIME_MODEL = 10;

const model = (id: number, name: string, mode: LanguageModelEntry['mode']) =>
  Object.assign(new LanguageModelEntry(), { id, name, mode, retiresOn: null });
/** English, German and French, each with a voice of its own. */
const catalog = new Catalog(
  ['English', 'German', 'French'].map((name, index) => ({
    id: index + 1,
    name,
    iso2: '',
    tag: ['en-US', 'de-DE', 'fr-FR'][index] ?? '',
  })),
  [
    model(TEXT_MODEL, 'gpt-4.1-mini', 'pipeline'),
    model(OTHER_TEXT_MODEL, 'gpt-4.1', 'pipeline'),
    model(REALTIME_MODEL, 'gpt-realtime', 'multimodal'),
    model(OTHER_REALTIME_MODEL, 'gpt-realtime-mini', 'multimodal'),
  ],
  [1, 2, 3].map((id) => Object.assign(new Voice(), { id, languageId: id, retiresOn: null })),
);
const shownWith = { catalog, ringTimeoutSeconds: 25 };

const input = (unknown: string[] = [], dto: object = {}): AssistantInput => ({
  ...readSettings(dto, catalog),
  attached: { toolIds: undefined, labelIds: undefined },
  unknown,
  errors: {},
  knowledge: null,
  shownWith,
});
const after = {
  mode: 'pipeline' as const,
  llmModelId: TEXT_MODEL,
  voiceId: 3,
  languageId: 3,
  isWebhookActive: false,
  webhookUrl: null,
  synthesizerProviderId: null,
  transcriberProviderId: null,
  knowledgebaseId: null,
  knowledgebaseMode: 'function_call' as const,
  redaction: 'off' as const,
};

function errorsOf(run: () => void): unknown {
  try {
    run();
    return {};
  } catch (error) {
    return error instanceof Invalid ? error.errors : error;
  }
}

describe('assertValidAssistant', () => {
  it('accepts both speech providers or none, and does not validate an unchanged pair', () => {
    const both = { ...after, synthesizerProviderId: 1, transcriberProviderId: 2 };
    const one = { ...both, transcriberProviderId: null };
    expect(errorsOf(() => assertValidAssistant(input(), both, after))).toEqual({});
    expect(errorsOf(() => assertValidAssistant(input(), one, both))).toEqual({
      transcriber_provider_id: ['The transcriber provider id field is required with the other provider id.'],
    });
    expect(
      errorsOf(() => assertValidAssistant(input(), { ...both, synthesizerProviderId: null }, null)),
    ).toHaveProperty('synthesizer_provider_id');
    expect(errorsOf(() => assertValidAssistant(input(), one, one))).toEqual({});
  });

  it.each([
    after,
    { ...after, isWebhookActive: true, webhookUrl: 'https://example.com' },
    { ...after, webhookUrl: 'https://example.com' },
    { ...after, mode: 'multimodal' as const },
    { ...after, mode: 'multimodal' as const, llmModelId: REALTIME_MODEL },
    { ...after, mode: 'multimodal' as const, redaction: 'store' as const },
    { ...after, redaction: 'model' as const },
  ])('accepts %j', (state) => {
    expect(() => assertValidAssistant(input(), state, null)).not.toThrow();
  });

  it('names every field that is wrong at once', () => {
    const state = { ...after, llmModelId: REALTIME_MODEL, isWebhookActive: true };
    expect(errorsOf(() => assertValidAssistant(input(['voice_id', 'tool_ids']), state, null))).toEqual({
      voice_id: ['The selected voice id is invalid.'],
      tool_ids: ['The selected tool ids is invalid.'],
      llm_model: ['The selected llm model is invalid.'],
      webhook_url: ['The webhook url field is required when is webhook active is true.'],
    });
  });

  it.each([
    ['a new assistant', null, true],
    ['another voice', { ...after, voiceId: 3, languageId: 2 }, true],
    ['another language', { ...after, voiceId: 1, languageId: 3 }, true],
    ['a stored pair', { ...after, voiceId: 1, languageId: 2 }, false],
  ])('judges whether the voice speaks the language: %s', (_, before, refused) => {
    const errors = errorsOf(() =>
      assertValidAssistant(input(), { ...after, voiceId: 1, languageId: 2 }, before),
    );
    expect(errors).toEqual(refused ? { voice_id: ['The selected voice id is invalid.'] } : {});
  });

  it.each([null, { ...after, redaction: 'model' as const }, { ...after, mode: 'multimodal' as const }])(
    'refuses to hide numbers from a model that hears them, after %j',
    (before) => {
      const state = { ...after, mode: 'multimodal' as const, redaction: 'model' as const };
      expect(errorsOf(() => assertValidAssistant(input(), state, before))).toEqual({
        redaction: [expect.stringContaining('Use store.')],
      });
    },
  );

  it('does not validate unchanged stored values', () => {
    const stored = { ...after, llmModelId: REALTIME_MODEL, isWebhookActive: true };
    expect(() => assertValidAssistant(input(), stored, stored)).not.toThrow();
  });

  it('names the model as the request does', () => {
    const request = input([], { multimodal_model_id: REALTIME_MODEL });
    expect(
      errorsOf(() => assertValidAssistant(request, { ...after, llmModelId: REALTIME_MODEL }, after)),
    ).toEqual({
      multimodal_model_id: ['The selected multimodal model id is invalid.'],
    });
  });
});

const stored = Object.assign(new Assistant(), ASSISTANT_DEFAULTS, {
  name: 'Ada',
  mode: 'pipeline',
  languageId: 1,
  llmModelId: TEXT_MODEL,
  fillerConfig: defaultFillers('en'),
});
const change = (dto: object, before: Partial<Assistant> | null = {}) =>
  selectChangedAssistant(
    { ...readSettings(dto as UpdateAssistantDto, catalog), shownWith },
    before && Object.assign(new Assistant(), stored, before),
  );
const create = (dto: object) => change(dto, null);

describe('selectChangedAssistant', () => {
  const [english, german, written] = [
    defaultFillers('en'),
    defaultFillers('de'),
    { ...defaultFillers('en'), neutral: [] },
  ];

  it('omits fields that the request omits, and keeps false, zero and null', () => {
    expect(create({})).toEqual({});
    expect(
      create({
        record_call: false,
        min_interrupt_words: 0,
        phone_number_id: null,
        assistant_name: undefined,
      }),
    ).toStrictEqual({ recordCall: false, minInterruptWords: 0, phoneNumberId: null });
  });

  it.each([
    [{ calls_direction: 'receive' }, { type: 'inbound' }],
    [{ calls_direction: 'make' }, { type: 'outbound' }],
    [{ type: 'outbound' }, { type: 'outbound' }],
    [{ who_speaks_first: 'Customer' }, { waitForCustomer: true }],
    [{ who_speaks_first: 'AI assistant' }, { waitForCustomer: false }],
    [{ wait_for_customer: true }, { waitForCustomer: true }],
    [{ end_call_tool: { description: 'Bye' } }, { endCallDescription: 'Bye' }],
    [{ 'end_call_tool.description': 'Bye' }, { endCallDescription: 'Bye' }],
    [{ end_call_tool: { description: null } }, { endCallDescription: null }],
    [{ end_call_tool: null }, { endCallDescription: null }],
    [{ end_call_tool: {} }, {}],
    [
      { end_call_tool: { description: 'Bye' }, 'end_call_tool.description': 'No' },
      { endCallDescription: 'Bye' },
    ],
    [{ end_call_tool: {}, 'end_call_tool.description': 'Bye' }, { endCallDescription: 'Bye' }],
    [{ llm_model: 'GPT-4.1-MINI' }, { llmModelId: TEXT_MODEL }],
    [{ llm_model_id: TEXT_MODEL, multimodal_model_id: null }, { llmModelId: TEXT_MODEL }],
    [{ multimodal_model_id: REALTIME_MODEL }, { llmModelId: REALTIME_MODEL }],
    [{ assistant_name: 'Ada', name: 'Grace' }, { name: 'Ada' }],
  ] as const)('reads %j', (dto, columns) => {
    expect(create(dto)).toEqual(columns);
  });

  it.each([
    ['the name of the specification', { assistant_name: 'Grace', name: 'Ada' }, { name: 'Grace' }],
    ['the name in answers', { assistant_name: 'Ada', name: 'Grace' }, { name: 'Grace' }],
    ['the specification where both differ', { assistant_name: 'Grace', name: 'Edsger' }, { name: 'Grace' }],
    ['nothing where none differs', { assistant_name: 'Ada', name: 'Ada' }, {}],
  ])('given two values uses the one that differs from the stored one: %s', (_, dto, columns) => {
    expect(change(dto)).toEqual(columns);
  });

  it.each<[string, object, Partial<Assistant> | null, number | undefined]>([
    ['pipeline', { llm_model_id: 1, multimodal_model_id: 9 }, { llmModelId: 1 }, undefined],
    ['pipeline', { llm_model_id: 1, multimodal_model_id: 9 }, { llmModelId: 2 }, 1],
    ['pipeline', { llm_model_id: 2, multimodal_model_id: 9 }, { llmModelId: 1 }, 2],
    ['pipeline', { llm_model: 'gpt-4.1', multimodal_model_id: 9 }, { llmModelId: 1 }, 2],
    [
      'pipeline',
      { llm_model: 'gpt-4.1-mini', llm_model_id: 2, multimodal_model_id: 9 },
      { llmModelId: 1 },
      2,
    ],
    ['pipeline', { multimodal_model_id: 9 }, { llmModelId: 1 }, undefined],
    ['pipeline', { multimodal_model_id: 9, llm_model_id: 1 }, null, 1],
    // Refused: it is the only model.
    ['pipeline', { multimodal_model_id: 9 }, null, 9],
    ['multimodal', { llm_model_id: 1, multimodal_model_id: 9 }, { llmModelId: 9 }, undefined],
    ['multimodal', { llm_model_id: 1, multimodal_model_id: 10 }, { llmModelId: 9 }, 10],
    ['multimodal', { llm_model_id: 10, multimodal_model_id: 9 }, { llmModelId: 9 }, undefined],
    ['multimodal', { llm_model_id: 1, multimodal_model_id: 9 }, { llmModelId: 1 }, 9],
    ['multimodal', { llm_model: 'gpt-4.1', multimodal_model_id: 9 }, { llmModelId: 9 }, undefined],
    ['multimodal', { llm_model: 'gpt-realtime-mini', multimodal_model_id: 9 }, { llmModelId: 9 }, 10],
    ['multimodal', { llm_model_id: 2, multimodal_model_id: null }, { llmModelId: 1 }, 2],
    ['multimodal', { llm_model_id: 10 }, { llmModelId: 9 }, 10],
    ['multimodal', { llm_model: 'gpt-4.1-mini', multimodal_model_id: 9 }, null, 9],
    ['multimodal', { llm_model_id: 9, multimodal_model_id: 10 }, null, 10],
  ])('uses the model of the mode, here %s: %j', (mode, dto, before, expected) => {
    for (const name of ['mode', 'engine_type']) {
      const other = mode === 'pipeline' ? 'multimodal' : 'pipeline';
      const named = change({ ...dto, [name]: mode }, before && { ...before, mode: other as 'pipeline' });
      expect([name, named.llmModelId]).toEqual([name, expected]);
    }
    if (before) expect(change(dto, { ...before, mode: mode as 'pipeline' }).llmModelId).toBe(expected);
  });

  it('treats values of responses as no change', () => {
    expect(change({ llm_temperature: 0.1, ringing_time: 25, end_call_on_voicemail: true })).toEqual({});
    expect(change({ llm_temperature: 0.1 }, { llmTemperature: 0.104 })).toEqual({});
    expect(change({ llm_temperature: 0.104, ringing_time: 26 })).toEqual({
      llmTemperature: 0.104,
      ringingTime: 26,
    });
  });

  it('disables the webhook without its URL, unless the request sets it', () => {
    const before = { webhookUrl: 'https://example.com', isWebhookActive: true };
    expect(change({ webhook_url: null }, before)).toEqual({ webhookUrl: null, isWebhookActive: false });
    expect(change({ webhook_url: null, is_webhook_active: true }, before)).toEqual({ webhookUrl: null });
    expect(change({ webhook_url: 'https://example.com/2' }, before)).toEqual({
      webhookUrl: 'https://example.com/2',
    });
  });

  it('keeps custom fillers', () => {
    expect(create({ filler_config: written })).toEqual({ writtenFillers: written });
    expect(change({ filler_config: null }, { writtenFillers: written })).toEqual({ writtenFillers: null });
  });

  it.each([
    ['those of the new language', german, {}],
    ['those of the former language', english, {}],
    ['those that are written already', written, { writtenFillers: written }],
  ])('omits fillers that follow the language: %s', (_, fillers, before) => {
    expect(change({ language: 'german', filler_config: fillers }, before)).toEqual({
      languageId: 2,
      fillerConfig: german,
    });
  });
});

describe('readSettings', () => {
  it('names values that the catalogue does not have', () => {
    const dto = { voice_id: 9, language: 'German', llm_model: 'none', llm_model_id: 7 } as UpdateAssistantDto;
    expect(readSettings(dto, catalog)).toEqual({
      values: new Map([['languageId', [{ name: 'language', value: 2 }]]]),
      unknown: ['voice_id', 'llm_model', 'llm_model_id'],
    });
  });
});
