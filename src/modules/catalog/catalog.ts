import type { AssistantMode } from './catalog.types.js';
import type { LanguageModel } from './entities/language-model.entity.js';
import type { Language } from './entities/language.entity.js';
import type { Voice } from './entities/voice.entity.js';

/** What an assistant can be made of, as it was when it was loaded. */
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

  /** An unknown language is spoken by nobody, not even by the voices that speak every language. */
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
