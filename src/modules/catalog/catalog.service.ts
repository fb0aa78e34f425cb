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
import { LanguageModel, Language, SpeechProvider, Voice } from './entities/catalog.entities.js';

/** The catalogue changes only when a newer release starts; older running processes reload it after this time. */
const FRESH_MS = 30_000;

/** Languages, models and voices, kept in memory. */
@Injectable()
export class CatalogService {
  private cached: Promise<Catalog> | null = null;
  private expiresAt = 0;

  constructor(private readonly db: DataSource) {}

  async languages(): Promise<LanguageResponse[]> {
    return (await this.catalog()).languages.map(toLanguageResponse);
  }

  async models(type: ModelType): Promise<LanguageModelResponse[]> {
    const mode = type === 'llm' ? 'pipeline' : 'multimodal';
    return (await this.catalog()).models.filter((model) => model.mode === mode).map(toLanguageModelResponse);
  }

  async voices({ mode, language_id }: ListVoicesDto): Promise<VoiceResponse[]> {
    return (await this.catalog()).voicesOf(mode, language_id).map(toVoiceResponse);
  }

  async providers(kind: SpeechKind, { language_id }: ListProvidersDto): Promise<ProviderResponse[]> {
    return (await this.catalog()).speechProvidersOf(kind, language_id).map(toProviderResponse);
  }

  /** The whole catalogue, for synchronous look-ups. */
  catalog(): Promise<Catalog> {
    if (this.cached && performance.now() < this.expiresAt) return this.cached;
    this.expiresAt = performance.now() + FRESH_MS;
    const loading = this.load();
    this.cached = loading;
    // A failure is not cached: the next call loads again.
    loading.catch(() => {
      if (this.cached === loading) this.cached = null;
    });
    return loading;
  }

  private async load(): Promise<Catalog> {
    const [languages, models, voices, providers] = await Promise.all([
      this.db.manager.find(Language, { order: { id: 'ASC' } }),
      this.db.manager.find(LanguageModel, { order: { id: 'ASC' } }),
      this.db.manager.find(Voice, { order: { id: 'ASC' } }),
      this.db.manager.find(SpeechProvider, { order: { id: 'ASC' } }),
    ]);
    return new Catalog(languages, models, voices, providers);
  }
}
