export type { SpeechProvider } from './entities/catalog.entities.js';
import type { SpeechKind } from './catalog.types.js';
import type { LanguageModel, Language, SpeechProvider, Voice } from './entities/catalog.entities.js';

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
    readonly speechProviders: readonly SpeechProvider[] = [],
  ) {
    this.languageById = mapBy(languages, ({ id }) => id);
    this.languageByName = mapBy(languages, ({ name }) => name.toLowerCase());
    this.modelById = mapBy(models, ({ id }) => id);
    this.modelByName = mapBy(models, ({ name }) => name.toLowerCase());
    this.voiceById = mapBy(voices, ({ id }) => id);
  }

  /** By id, or by name without regard to case. */
  language(key: number | string): Language | undefined {
    return typeof key === 'string' ? this.languageByName.get(key.toLowerCase()) : this.languageById.get(key);
  }

  /** By id, or by name without regard to case. */
  model(key: number | string): LanguageModel | undefined {
    return typeof key === 'string' ? this.modelByName.get(key.toLowerCase()) : this.modelById.get(key);
  }

  /** The model of this name; where it is multimodal, the model that answers in text in its place. */
  textModel(name: string): LanguageModel | undefined {
    const model = this.model(name);
    return model?.mode === 'multimodal' ? this.fallbackOf(name) : model;
  }

  /** The model that is asked when the model of this name is late or fails. */
  fallbackOf(name: string): LanguageModel | undefined {
    const id = this.model(name)?.fallbackModelId ?? null;
    return id === null ? undefined : this.modelById.get(id);
  }

  /** A model that answers in text. */
  pipelineModel(name: string): LanguageModel | undefined {
    const model = this.model(name);
    return model?.mode === 'pipeline' ? model : undefined;
  }

  multimodalModel(id: number): LanguageModel | undefined {
    const model = this.modelById.get(id);
    return model?.mode === 'multimodal' ? model : undefined;
  }

  voice(id: number): Voice | undefined {
    return this.voiceById.get(id);
  }

  speechProvider(id: number, kind: SpeechKind): SpeechProvider | undefined {
    return this.speechProviders.find((provider) => provider.id === id && provider.kind === kind);
  }

  /** They know every language; an unknown one is known to none. */
  speechProvidersOf(kind: SpeechKind, languageId?: number): SpeechProvider[] {
    if (languageId !== undefined && !this.languageById.has(languageId)) return [];
    return this.speechProviders.filter((provider) => provider.kind === kind);
  }

  /** False also where either is unknown. */
  speaks(voiceId: number, languageId: number): boolean {
    const voice = this.voiceById.get(voiceId);
    return voice !== undefined && this.languageById.has(languageId) && speaksLanguage(voice, languageId);
  }

  /** None of an unknown mode. An unknown language is spoken by nobody, not even by the voices that speak every one. */
  voicesOf(mode?: string, languageId?: number): Voice[] {
    if (languageId !== undefined && !this.languageById.has(languageId)) return [];
    return this.voices.filter(
      (voice) =>
        (mode === undefined || voice.mode === mode) &&
        (languageId === undefined || speaksLanguage(voice, languageId)),
    );
  }
}

const speaksLanguage = (voice: Voice, languageId: number): boolean =>
  voice.languageId === null || voice.languageId === languageId;

const mapBy = <K, V>(items: readonly V[], keyOf: (item: V) => K): ReadonlyMap<K, V> =>
  new Map(items.map((item) => [keyOf(item), item]));
