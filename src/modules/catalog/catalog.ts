export type { SpeechProvider } from './entities/catalog.entities.js';
import type { SpeechKind } from './catalog.types.js';
import type { LanguageModelEntry, Language, SpeechProvider, Voice } from './entities/catalog.entities.js';

/** What an assistant can be made of, as it was when it was loaded. */
export class Catalog {
  private readonly languageById: ReadonlyMap<number, Language>;
  private readonly languageByName: ReadonlyMap<string, Language>;
  private readonly modelById: ReadonlyMap<number, LanguageModelEntry>;
  private readonly modelByName: ReadonlyMap<string, LanguageModelEntry>;
  private readonly voiceById: ReadonlyMap<number, Voice>;

  constructor(
    readonly languages: readonly Language[],
    readonly models: readonly LanguageModelEntry[],
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
  model(key: number | string): LanguageModelEntry | undefined {
    return typeof key === 'string' ? this.modelByName.get(key.toLowerCase()) : this.modelById.get(key);
  }

  /** As `model`; of one that has retired its successor. */
  currentModel(key: number | string): LanguageModelEntry | undefined {
    return current(this.model(key), this.modelById);
  }

  /** As `voice`; of one that has retired its successor. */
  currentVoice(id: number): Voice | undefined {
    return current(this.voice(id), this.voiceById);
  }

  /** The model of this name; where it is multimodal, the model that answers in text in its place. None has retired. */
  textModel(name: string): LanguageModelEntry | undefined {
    const model = this.currentModel(name);
    return model?.mode === 'multimodal' ? this.fallbackOf(model.name) : model;
  }

  /** The fallback model for when the model of this name is late or fails. */
  fallbackOf(name: string): LanguageModelEntry | undefined {
    const id = this.currentModel(name)?.fallbackModelId ?? null;
    return id === null ? undefined : this.currentModel(id);
  }

  /** A model that answers in text. */
  pipelineModel(name: string): LanguageModelEntry | undefined {
    const model = this.model(name);
    return model?.mode === 'pipeline' ? model : undefined;
  }

  multimodalModel(id: number): LanguageModelEntry | undefined {
    const model = this.modelById.get(id);
    return model?.mode === 'multimodal' ? model : undefined;
  }

  voice(id: number): Voice | undefined {
    return this.voiceById.get(id);
  }

  speechProvider(id: number, kind: SpeechKind): SpeechProvider | undefined {
    return this.speechProviders.find((provider) => provider.id === id && provider.kind === kind);
  }

  /** As `speechProvider`; of one that has retired its successor, or none. */
  currentProvider(id: number, kind: SpeechKind): SpeechProvider | undefined {
    const byId = mapBy(this.speechProviders, (provider) => provider.id);
    const provider = current(this.speechProvider(id, kind), byId);
    return provider && hasRetired(provider) ? undefined : provider;
  }

  /** They know every language; an unknown one is known to none. */
  speechProvidersOf(kind: SpeechKind, languageId?: number): SpeechProvider[] {
    if (languageId !== undefined && !this.languageById.has(languageId)) return [];
    return this.speechProviders.filter((provider) => provider.kind === kind);
  }

  /** False also where either is unknown. */
  canSpeak(voiceId: number, languageId: number): boolean {
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

interface Retiring {
  id: number;
  retiresOn: string | null;
  replacedById: number | null;
}

/** Days begin at midnight UTC. */
export const hasRetired = ({ retiresOn }: Pick<Retiring, 'retiresOn'>): boolean =>
  retiresOn !== null && retiresOn <= new Date().toISOString().slice(0, 10);

/** Follows successors. One that has none, and a circle of them, stays what it is. */
function current<T extends Retiring>(row: T | undefined, byId: ReadonlyMap<number, T>): T | undefined {
  const seen = new Set<number>();
  let found = row;
  while (found && hasRetired(found) && found.replacedById !== null && !seen.has(found.id)) {
    seen.add(found.id);
    found = byId.get(found.replacedById) ?? found;
  }
  return found;
}

const speaksLanguage = (voice: Voice, languageId: number): boolean =>
  voice.languageId === null || voice.languageId === languageId;

const mapBy = <K, V>(items: readonly V[], keyOf: (item: V) => K): ReadonlyMap<K, V> =>
  new Map(items.map((item) => [keyOf(item), item]));
