import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type EntityTarget } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { INSTALLATION } from '../audit/audit.types.js';
import { Language, LanguageModelEntry, SpeechProvider, Voice } from './entities/catalog.entities.js';

const ENTITIES = { models: LanguageModelEntry, voices: Voice, providers: SpeechProvider } as const;
export type CatalogueKind = keyof typeof ENTITIES;
export type CatalogueRowOf<K extends CatalogueKind> = InstanceType<(typeof ENTITIES)[K]>;

/** Fields of a row, and names of the rows that it refers to. */
export type CatalogueChanges<K extends CatalogueKind> = Partial<Omit<CatalogueRowOf<K>, 'id' | 'seeded'>> & {
  fallback?: string | null;
  replacedBy?: string | null;
  language?: string | null;
};

/** As the audit log has them. */
const RESOURCES = { models: 'model', voices: 'voice', providers: 'provider' } as const;

/** Ids below are those of releases. */
const FIRST_OWN_ID = 1_000;

/** The operator's changes of the catalogue: no start reverts them. */
@Injectable()
export class CatalogueAdminService {
  constructor(
    private readonly db: DataSource,
    private readonly audit: AuditService,
  ) {}

  listEntries<K extends CatalogueKind>(kind: K): Promise<CatalogueRowOf<K>[]> {
    return this.db.manager.find(entityOf(kind), { order: { id: 'ASC' } as never });
  }

  /** @throws Error for a name that is taken */
  async addEntry<K extends CatalogueKind>(
    kind: K,
    name: string,
    changes: CatalogueChanges<K>,
  ): Promise<CatalogueRowOf<K>> {
    return this.audit.change(async (tx, record) => {
      if (kind === 'models' && (await named(tx, kind, name)).length > 0)
        throw new Error(`There is a ${name} already: "set" changes it.`);
      const last = await tx.maximum(entityOf(kind), 'id' as never);
      const id = Math.max(FIRST_OWN_ID - 1, last ?? 0) + 1;
      const row = { ...(await resolved(tx, kind, changes)), id, name, seeded: null };
      record({
        accountId: INSTALLATION,
        action: `${RESOURCES[kind]}.create`,
        resourceId: id,
        details: { name },
      });
      return tx.save(tx.create(entityOf(kind), row as never));
    });
  }

  /**
   * @param key the id, or the name where only one row has it
   * @throws Error where there is no such row, or where a name that the changes give does not exist
   */
  async setEntry<K extends CatalogueKind>(
    kind: K,
    key: string,
    changes: CatalogueChanges<K>,
  ): Promise<CatalogueRowOf<K>> {
    return this.audit.change(async (tx, record) => {
      const row = await only(tx, kind, key);
      const columns = await resolved(tx, kind, changes);
      const names = Object.keys(columns).map((property) => columnOf(tx, kind, property));
      // What is not in there counts as the operator's, also where the value is that of the release.
      const seeded =
        row.seeded &&
        Object.fromEntries(Object.entries(row.seeded).filter(([name]) => !names.includes(name)));
      if (names.length > 0)
        record({
          accountId: INSTALLATION,
          action: `${RESOURCES[kind]}.update`,
          resourceId: row.id,
          fields: names.sort(),
          details: { name: row.name },
        });
      return tx.save(Object.assign(row, columns, { seeded }));
    });
  }
}

const entityOf = <K extends CatalogueKind>(kind: K): EntityTarget<CatalogueRowOf<K>> =>
  ENTITIES[kind] as unknown as EntityTarget<CatalogueRowOf<K>>;

const columnOf = (tx: EntityManager, kind: CatalogueKind, property: string): string =>
  tx.connection.getMetadata(ENTITIES[kind]).findColumnWithPropertyName(property)?.databaseName ?? property;

async function named<K extends CatalogueKind>(
  tx: EntityManager,
  kind: K,
  name: string,
): Promise<CatalogueRowOf<K>[]> {
  const rows = await tx.find(entityOf(kind));
  return rows.filter((row) => row.name.toLowerCase() === name.toLowerCase());
}

async function only<K extends CatalogueKind>(
  tx: EntityManager,
  kind: K,
  key: string,
): Promise<CatalogueRowOf<K>> {
  const found = /^\d+$/.test(key)
    ? await tx.find(entityOf(kind), { where: { id: Number(key) } as never })
    : await named(tx, kind, key);
  const [row, other] = found;
  if (!row) throw new Error(`There is no ${key} among the ${kind}: "list" shows all.`);
  if (other) throw new Error(`Several ${kind} have the name ${key}: give the id.`);
  return row;
}

const FALLBACKS: Record<CatalogueKind, string> = {
  models: 'fallbackModelId',
  providers: 'fallbackProviderId',
  voices: 'fallback',
};

/** The changes with ids in place of names. */
async function resolved<K extends CatalogueKind>(
  tx: EntityManager,
  kind: K,
  { fallback, replacedBy, language, ...columns }: CatalogueChanges<K>,
): Promise<object> {
  const idOf = async (name: string | null): Promise<number | null> =>
    name === null ? null : (await only(tx, kind, name)).id;
  return {
    ...columns,
    ...(fallback !== undefined && { [FALLBACKS[kind]]: await idOf(fallback) }),
    ...(replacedBy !== undefined && { replacedById: await idOf(replacedBy) }),
    ...(language !== undefined && { languageId: await languageId(tx, language) }),
  };
}

async function languageId(tx: EntityManager, name: string | null): Promise<number | null> {
  if (name === null) return null;
  const language = await tx.findOneBy(Language, { name });
  if (!language) throw new Error(`There is no language ${name}.`);
  return language.id;
}
