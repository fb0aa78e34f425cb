import { describe, expect, it } from '@jest/globals';
import { Catalog } from '../catalog/catalog.js';
import { ASSISTANT_DEFAULTS } from './assistant-defaults.js';
import { toAssistantView } from './assistant-view.js';
import { Assistant } from './entities/assistant.entity.js';

const RELEASED = { retiresOn: null, replacedById: null, seeded: null, facts: {}, warning: null };

const catalog = new Catalog(
  [
    { id: 3, name: 'German', iso2: 'de', tag: 'de-DE' },
    { id: 4, name: 'French', iso2: 'fr', tag: 'fr-FR' },
  ],
  [
    {
      id: 1,
      name: 'gpt-4.1-mini',
      mode: 'pipeline',
      code: null,
      endpoint: null,
      takesTemperature: true,
      outputLimitField: 'max_tokens',
      reasoningEffort: null,
      transcriptionModel: null,
      fallbackModelId: null,
      ...RELEASED,
    },
  ],
  [
    {
      id: 24,
      name: 'Vicki',
      mode: 'pipeline',
      languageId: 3,
      gender: 'female',
      accent: null,
      previewUrl: null,
      provider: 'Amazon',
      providerVoice: 'Vicki-Neural',
      ...RELEASED,
    },
  ],
);

const assistant = (fields: Partial<Assistant> = {}): Assistant =>
  Object.assign(
    new Assistant(),
    ASSISTANT_DEFAULTS,
    { id: 5, voiceId: 24, languageId: 3, llmModelId: 1 },
    fields,
  );

describe('toAssistantView', () => {
  it("uses the providers' names of voice, language and model", () => {
    expect(toAssistantView(assistant(), catalog, [])).toMatchObject({
      id: 5,
      voice: { provider: 'Amazon', providerVoice: 'Vicki-Neural' },
      language: { name: 'German', tag: 'de-DE' },
      llmModel: 'gpt-4.1-mini',
    });
  });

  it('has the texts of built-in tools beside the settings', () => {
    const [own, declared] = [
      { name: 'Workshop', phone_number: '+14155550101', description: 'Repairs' },
      { phone_number: '+14155550103', description: 'Sales' },
    ];
    const builtInTools: Assistant['builtInTools'] = [
      { type: 'end_call', data: { description: 'When all is said.' } },
      { type: 'call_transfer', data: declared },
    ];
    const view = toAssistantView(assistant({ builtInTools, transferNumbers: [own] }), catalog, []);
    expect(view.endCallDescription).toBe('When all is said.');
    expect(view.transferNumbers).toEqual([own, { name: declared.phone_number, ...declared }]);
    expect(view).not.toHaveProperty('builtInTools');
    const settled = assistant({ builtInTools, endCallDescription: 'After the goodbye.' });
    expect(toAssistantView(settled, catalog, []).endCallDescription).toBe('After the goodbye.');
  });

  it('has no voice where it does not speak the language', () => {
    expect(toAssistantView(assistant({ languageId: 4 }), catalog, []).voice).toBeNull();
  });

  it('prefers custom fillers to those of the language, and names the fallback model', () => {
    const written = { neutral: ['Hm.'], negative: [], positive: [], question: [] };
    const { fillerConfig, fallbackModel } = toAssistantView(
      assistant({ writtenFillers: written, llmFallbackModelId: 1 }),
      catalog,
      [],
    );
    expect([fillerConfig, fallbackModel]).toEqual([written, 'gpt-4.1-mini']);
  });

  it('counts words that interrupt only when that rule is used', () => {
    const words = (useMinInterruptWords: boolean) =>
      toAssistantView(assistant({ useMinInterruptWords, minInterruptWords: 4 }), catalog, [])
        .minInterruptWords;
    expect([words(true), words(false)]).toEqual([4, 0]);
  });

  it('fails for a part that the catalogue does not have yet', () => {
    expect(() => toAssistantView(assistant({ voiceId: 99 }), catalog, [])).toThrow(
      'lacks a part of assistant 5',
    );
  });
});
