import { describe, expect, it } from '@jest/globals';
import { Invalid } from '#src/common/errors/api-error.js';
import { Catalog } from '../catalog/catalog.js';
import {
  assertValid,
  columnsToWrite,
  readSettings,
  type AssistantInput,
} from './assistant-references.service.js';
import type { UpdateAssistantDto } from './dto/assistant-input.dto.js';
import type { Assistant } from './entities/assistant.entity.js';
import { fillersOf } from './filler-phrases.js';

const TEXT_MODEL = 1;
const REALTIME_MODEL = 9;

const input = (unknown: string[] = []): AssistantInput => ({
  columns: {},
  toolIds: undefined,
  unknown,
  errors: {},
  speaks: (voiceId, languageId) => voiceId === languageId,
  modelMode: (id) => (id === REALTIME_MODEL ? 'multimodal' : 'pipeline'),
});
const after = {
  mode: 'pipeline' as const,
  llmModelId: TEXT_MODEL,
  voiceId: 3,
  languageId: 3,
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

describe('assertValid', () => {
  it.each([
    after,
    { ...after, isWebhookActive: true, webhookUrl: 'https://example.com' },
    { ...after, webhookUrl: 'https://example.com' },
    { ...after, mode: 'multimodal' as const },
    { ...after, mode: 'multimodal' as const, llmModelId: REALTIME_MODEL },
  ])('accepts %j', (state) => {
    expect(() => assertValid(input(), state, null)).not.toThrow();
  });

  it('names every field that is wrong at once', () => {
    const state = { ...after, llmModelId: REALTIME_MODEL, isWebhookActive: true };
    expect(errorsOf(() => assertValid(input(['voice_id', 'tool_ids']), state, null))).toEqual({
      voice_id: ['The selected voice id is invalid.'],
      tool_ids: ['The selected tool ids is invalid.'],
      llm_model: ['The selected llm model is invalid.'],
      webhook_url: ['The webhook url field is required when is webhook active is true.'],
    });
  });

  it.each([
    ['a new assistant', null, true],
    ['another voice', { voiceId: 3, languageId: 4 }, true],
    ['another language', { voiceId: 5, languageId: 3 }, true],
    ['a stored pair', { voiceId: 5, languageId: 4 }, false],
  ])('judges whether the voice speaks the language: %s', (_, before, refused) => {
    const errors = errorsOf(() => assertValid(input(), { ...after, voiceId: 5, languageId: 4 }, before));
    expect(errors).toEqual(refused ? { voice_id: ['The selected voice id is invalid.'] } : {});
  });
});

const toColumns = (dto: UpdateAssistantDto) => readSettings(dto, new Catalog([], [], [])).columns;

describe('columnsToWrite', () => {
  const [english, german, written] = [fillersOf('en'), fillersOf('de'), { ...fillersOf('en'), neutral: [] }];
  const write = (columns: object, before: object | null) => columnsToWrite({ columns }, before as Assistant);

  it('keeps fillers that were written', () => {
    expect(write({ writtenFillers: written }, null)).toEqual({ writtenFillers: written });
    expect(write({ writtenFillers: null }, { fillerConfig: english, writtenFillers: written })).toEqual({
      writtenFillers: null,
    });
  });

  it.each([
    ['those of the new language', { writtenFillers: german, fillerConfig: german }, null],
    [
      'those of the former language',
      { writtenFillers: english, fillerConfig: german },
      { fillerConfig: english, writtenFillers: null },
    ],
    [
      'those that are written already',
      { writtenFillers: written, fillerConfig: german },
      { fillerConfig: english, writtenFillers: written },
    ],
  ])('leaves out %s', (_, columns, before) => {
    expect(write(columns, before)).toEqual({ fillerConfig: german });
  });
});

describe('readSettings', () => {
  it('leaves out what the request leaves out, and keeps false, zero and null', () => {
    expect(toColumns({})).toEqual({});
    expect(
      toColumns({
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
    [{ who_speaks_first: 'Customer' }, { waitForCustomer: true }],
    [{ who_speaks_first: 'AI assistant' }, { waitForCustomer: false }],
    [{ end_call_tool: { description: 'Bye' } }, { endCallDescription: 'Bye' }],
    [{ 'end_call_tool.description': 'Bye' }, { endCallDescription: 'Bye' }],
    [{ end_call_tool: { description: '' } }, { endCallDescription: null }],
    [{ end_call_tool: {} }, {}],
    [
      { end_call_tool: { description: 'Bye' }, 'end_call_tool.description': 'No' },
      { endCallDescription: 'Bye' },
    ],
    [{ end_call_tool: {}, 'end_call_tool.description': 'Bye' }, { endCallDescription: 'Bye' }],
  ] as const)('reads %j', (dto, columns) => {
    expect(toColumns(dto)).toEqual(columns);
  });

  it('ends the webhook with its URL, unless the request says otherwise', () => {
    expect(toColumns({ webhook_url: null })).toEqual({ webhookUrl: null, isWebhookActive: false });
    expect(toColumns({ webhook_url: null, is_webhook_active: true })).toEqual({
      webhookUrl: null,
      isWebhookActive: true,
    });
    expect(toColumns({ webhook_url: 'https://example.com' })).toEqual({ webhookUrl: 'https://example.com' });
  });

  it('names what the catalogue does not have, and takes the fillers of the language', () => {
    const catalog = new Catalog([{ id: 3, name: 'German', iso2: 'de', tag: 'de-DE' }], [], []);
    const dto = { voice_id: 9, language: 'German', llm_model: 'none' };
    expect(readSettings(dto, catalog)).toEqual({
      columns: { languageId: 3, fillerConfig: fillersOf('de') },
      unknown: ['voice_id', 'llm_model'],
    });
  });
});
