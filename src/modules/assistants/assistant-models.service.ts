import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { CatalogueKind } from '../catalog/catalogue-admin.service.js';

const COLUMNS: Record<CatalogueKind, string[]> = {
  models: ['llm_model_id', 'llm_fallback_model_id'],
  voices: ['voice_id'],
  providers: ['synthesizer_provider_id', 'transcriber_provider_id'],
};

export interface DependentAssistant {
  id: number;
  name: string;
  accountId: number;
}

/** Which assistants use a part of the catalogue. */
@Injectable()
export class AssistantModelsService {
  constructor(private readonly db: DataSource) {}

  /** Without deleted ones. */
  async findDependents(kind: CatalogueKind, id: number): Promise<DependentAssistant[]> {
    const columns = COLUMNS[kind].map((column) => `${column} = $1`);
    const uses = [...columns, ...(kind === 'voices' ? ['$1 = ANY(fallback_voice_ids)'] : [])].join(' OR ');
    return this.db.query(
      `SELECT id, name, account_id AS "accountId" FROM assistants
        WHERE deleted_at IS NULL AND (${uses}) ORDER BY id`,
      [id],
    );
  }
}
