import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainEventsService } from '#src/events/domain-events.service.js';
import { ModelRetiring, type WarnedCatalogueEntry } from './catalog-events.js';
import type { ModelWarning } from './catalog.types.js';
import { LanguageModelEntry, SpeechProvider } from './entities/catalog.entities.js';

const ENTITIES = { models: LanguageModelEntry, providers: SpeechProvider } as const;
const TABLES = { models: 'language_models', providers: 'speech_providers' } as const;

/** A model, or a speech provider, in a warning to its users. */
export interface ReportedModel {
  name: string;
  code: string;
  warning: ModelWarning;
  retires_on: string | null;
  replaced_by: string | null;
}

/** The warnings of the check of models. */
@Injectable()
export class CatalogWarningsService {
  constructor(
    private readonly db: DataSource,
    private readonly events: DomainEventsService,
  ) {}

  /** Writes what has changed, and publishes it once, whichever process finds it first. */
  async recordWarnings(
    found: readonly (WarnedCatalogueEntry & { warning: ModelWarning | null })[],
  ): Promise<void> {
    await this.db.transaction(async (tx) => {
      for (const kind of ['models', 'providers'] as const) {
        const changed = await changedRows(
          tx,
          kind,
          found.filter((one) => one.kind === kind),
        );
        for (const { id, warning } of changed)
          if (warning !== null) await this.events.publish(tx, ModelRetiring, { kind, id });
      }
    });
  }

  /** Null: nothing is wrong with it any more. */
  async findWarnings({ kind, id }: WarnedCatalogueEntry): Promise<ReportedModel | null> {
    const row = await this.db.manager.findOneBy<LanguageModelEntry | SpeechProvider>(ENTITIES[kind], { id });
    if (!row || row.warning === null) return null;
    const { name, code, warning, retiresOn, replacedById } = row;
    const successor =
      replacedById === null
        ? null
        : await this.db.manager.findOneBy<LanguageModelEntry | SpeechProvider>(ENTITIES[kind], {
            id: replacedById,
          });
    return {
      name,
      code: code ?? name,
      warning,
      retires_on: retiresOn,
      replaced_by: successor?.name ?? null,
    };
  }
}

async function changedRows(
  tx: EntityManager,
  kind: keyof typeof TABLES,
  found: readonly { id: number; warning: ModelWarning | null }[],
): Promise<{ id: number; warning: ModelWarning | null }[]> {
  const table = TABLES[kind];
  const given = JSON.stringify(found.map(({ id, warning }) => ({ id, warning })));
  const [rows]: [{ id: number; warning: ModelWarning | null }[], number] = await tx.query(
    `UPDATE ${table} SET warning = given.warning FROM jsonb_to_recordset($1) AS given (id int, warning text)
      WHERE ${table}.id = given.id AND ${table}.warning IS DISTINCT FROM given.warning
      RETURNING ${table}.id, ${table}.warning`,
    [given],
  );
  return rows;
}
