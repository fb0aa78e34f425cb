import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';

/**
 * Reads rows of one entity with an SQL text that is built once. For lists on busy paths: TypeORM builds the text of
 * every query and hydrates each value, which takes longer than the database. Rows have the entity's shape, not its
 * class.
 */
export class EntitySelect<E extends ObjectLiteral, K extends keyof E & string = keyof E & string> {
  private readonly columns: string;
  private readonly from: string;
  /** Columns with a transformer; the others are used as the driver returns them. */
  private readonly transformed: ColumnMetadata[];

  /** @param only the properties to read, where not all of them are needed */
  constructor(
    private readonly db: DataSource,
    entity: EntityTarget<E>,
    alias: string,
    only?: readonly K[],
  ) {
    const { tablePath, columns } = db.getMetadata(entity);
    const read = columns.filter(({ propertyName }) => !only || only.includes(propertyName as K));
    const selected = read.map(({ query, databaseName, propertyName }) => {
      const value = query ? query(alias) : `${alias}.${databaseName}`;
      return `${value} AS "${propertyName}"`;
    });
    this.columns = selected.join(', ');
    this.from = `FROM ${tablePath} ${alias}`;
    this.transformed = read.filter(({ transformer }) => transformer);
  }

  /**
   * @param rest the statement from WHERE on
   * @param extra SQL of further columns, named as in `Extra`
   * @returns runs the statement with the values of its parameters
   */
  prepareQuery<Extra = unknown>(
    rest: string,
    extra?: string,
  ): (values: unknown[]) => Promise<(Pick<E, K> & NoInfer<Extra>)[]> {
    const selected = extra === undefined ? this.columns : `${this.columns}, ${extra}`;
    const text = `SELECT ${selected} ${this.from} ${rest}`;
    return async (values) => this.transform(await this.db.query<(E & Extra)[]>(text, values));
  }

  private transform<Row extends E>(rows: Row[]): Row[] {
    for (const column of this.transformed) {
      for (const row of rows) {
        const value: unknown = this.db.driver.prepareHydratedValue(row[column.propertyName], column);
        Object.assign(row, { [column.propertyName]: value });
      }
    }
    return rows;
  }
}
