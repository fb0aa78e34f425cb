import type { LanguageModel } from './entities/language-model.entity.js';
import type { Language } from './entities/language.entity.js';
import type { Voice } from './entities/voice.entity.js';

/** How an assistant works: speech to text, a language model and a voice in a row, or one model that hears and speaks. */
export const ASSISTANT_MODES = ['pipeline', 'multimodal'] as const;
export type AssistantMode = (typeof ASSISTANT_MODES)[number];

/** A snapshot of languages, models and voices. */
export class Catalog {
  private readonly languageById: ReadonlyMap<number, Language>;
  private readonly languageByName: ReadonlyMap<string, Language>;
  private readonly modelById: ReadonlyMap<number, LanguageModel>;
  private readonly modelByName: ReadonlyMap<string, LanguageModel>;
  private readonly voiceById: ReadonlyMap<number, Voice>;

  constructor(
    readonly languages: readonly Language[],
    readonly models: readonly LanguageModel[],
    readonly voices: readonly Voice[],
  ) {
    this.languageById = mapBy(languages, ({ id }) => id);
    this.languageByName = mapBy(languages, ({ name }) => name);
    this.modelById = mapBy(models, ({ id }) => id);
    this.modelByName = mapBy(models, ({ name }) => name);
    this.voiceById = mapBy(voices, ({ id }) => id);
  }

  language(key: number | string): Language | undefined {
    return typeof key === 'number' ? this.languageById.get(key) : this.languageByName.get(key);
  }

  model(key: number | string): LanguageModel | undefined {
    return typeof key === 'number' ? this.modelById.get(key) : this.modelByName.get(key);
  }

  voice(id: number): Voice | undefined {
    return this.voiceById.get(id);
  }

  /** No voice speaks an unknown language, not even the multilingual ones. */
  voicesOf(mode?: AssistantMode, languageId?: number): Voice[] {
    if (languageId !== undefined && !this.languageById.has(languageId)) return [];
    const speaks = (voice: Voice) => voice.languageId === null || voice.languageId === languageId;
    return this.voices.filter(
      (voice) => (mode === undefined || voice.mode === mode) && (languageId === undefined || speaks(voice)),
    );
  }
}

const mapBy = <K, V>(items: readonly V[], keyOf: (item: V) => K): ReadonlyMap<K, V> =>
  new Map(items.map((item) => [keyOf(item), item]));
