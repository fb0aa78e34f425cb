import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Catalog } from './catalog.js';
import { type ModelType, type ListProvidersDto, type ListVoicesDto } from './dto/catalog.dto.js';
import {
  toLanguageModelResponse,
  type LanguageModelResponse,
  toLanguageResponse,
  type LanguageResponse,
  type ProviderResponse,
  toProviderResponse,
  toVoiceResponse,
  type VoiceResponse,
} from './dto/catalog.response.js';
import type { SpeechKind } from './catalog.types.js';
import { LanguageModelEntry, Language, SpeechProvider, Voice } from './entities/catalog.entities.js';

/** Processes that run reload the catalogue after this time: commands, starts and the daily check change it. */
const FRESH_MS = 30_000;

/** Languages, models, voices and speech providers, kept in memory. */
@Injectable()
export class CatalogService {
  private cached: Promise<Catalog> | null = null;
  private expiresAt = 0;

  constructor(private readonly db: DataSource) {}

  async languages(): Promise<LanguageResponse[]> {
    return (await this.getCatalog()).languages.map(toLanguageResponse);
  }

  /** Those that stay come first, and of them those of the default endpoint. */
  async models(type: ModelType): Promise<LanguageModelResponse[]> {
    const mode = type === 'llm' ? 'pipeline' : 'multimodal';
    const { models } = await this.getCatalog();
    const rankOf = ({ retiresOn, endpoint }: LanguageModelEntry): number =>
      (retiresOn === null ? 0 : 2) + (endpoint === null ? 0 : 1);
    return models
      .filter((model) => model.mode === mode)
      .sort((one, other) => rankOf(one) - rankOf(other))
      .map((model) => toLanguageModelResponse(model, models));
  }

  async voices({ mode, language_id }: ListVoicesDto): Promise<VoiceResponse[]> {
    const catalog = await this.getCatalog();
    return catalog.voicesOf(mode, language_id).map((voice) => toVoiceResponse(voice, catalog.voices));
  }

  async providers(kind: SpeechKind, { language_id }: ListProvidersDto): Promise<ProviderResponse[]> {
    const catalog = await this.getCatalog();
    const { speechProviders } = catalog;
    return catalog
      .speechProvidersOf(kind, language_id)
      .map((provider) => toProviderResponse(provider, speechProviders));
  }

  /** The whole catalogue, for synchronous look-ups. */
  getCatalog(): Promise<Catalog> {
    if (this.cached && performance.now() < this.expiresAt) return this.cached;
    this.expiresAt = performance.now() + FRESH_MS;
    const loading = this.readCatalog();
    this.cached = loading;
    // A failure is not cached: the next call loads again.
    loading.catch(() => {
      if (this.cached === loading) this.cached = null;
    });
    return loading;
  }

  /** As it is in the database now. */
  async readCatalog(): Promise<Catalog> {
    const [languages, models, voices, providers] = await Promise.all([
      this.db.manager.find(Language, { order: { id: 'ASC' } }),
      this.db.manager.find(LanguageModelEntry, { order: { id: 'ASC' } }),
      this.db.manager.find(Voice, { order: { id: 'ASC' } }),
      this.db.manager.find(SpeechProvider, { order: { id: 'ASC' } }),
    ]);
    return new Catalog(languages, models, voices, providers);
  }
}
