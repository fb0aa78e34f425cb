import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';

/**
 * `SELECT <columns> FROM <table> <alias>` whose rows are the entity as it is: every column comes under its
 * property's name, so that nothing is hydrated. For wide rows on busy paths. Columns with transformers are not
 * transformed.
 */
export function rowSelect<E extends ObjectLiteral>(
  db: DataSource,
  entity: EntityTarget<E>,
  alias: string,
): string {
  const { tablePath, columns } = db.getMetadata(entity);
  const selected = columns.map(({ query, databaseName, propertyName }) => {
    const value = query ? query(alias) : `${alias}.${databaseName}`;
    return `${value} AS "${propertyName}"`;
  });
  return `SELECT ${selected.join(', ')} FROM ${tablePath} ${alias}`;
}
