import type { Pool } from 'pg';
import {
  QueryFailedError,
  type DataSource,
  type EntityManager,
  type EntityTarget,
  type ObjectLiteral,
} from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';

let count = 0;

/**
 * A query of a busy path, known to the database by a name: each connection parses and plans it once instead of at
 * every call, which for short queries is most of the work. For texts that never change, outside of transactions.
 */
export class PreparedQuery<Row extends object> {
  private readonly name = `prepared_${++count}`;

  constructor(
    private readonly db: DataSource,
    private readonly text: string,
  ) {}

  /** @throws QueryFailedError as all queries do */
  async run(values: unknown[]): Promise<Row[]> {
    try {
      const { rows } = await poolOf(this.db).query<Row>({ name: this.name, text: this.text, values });
      return rows;
    } catch (error) {
      throw error instanceof Error ? new QueryFailedError(this.text, values, error) : error;
    }
  }
}

/** TypeORM has no way to name a statement; its pool has. */
const poolOf = ({ driver }: DataSource): Pool => (driver as typeof driver & { master: Pool }).master;

/**
 * Inserts rows of one entity with a text that is made once. For wide tables on busy paths: TypeORM makes the
 * text of every insert anew, which for 40 columns takes longer than the rest of a request.
 */
export class PreparedInsert<E extends ObjectLiteral> {
  private readonly columns: ColumnMetadata[];
  private readonly text: string;
  private readonly prepared: PreparedQuery<{ id: number }>;

  constructor(
    private readonly db: DataSource,
    entity: EntityTarget<E>,
    /** Of the insert, from WHERE on. */
    condition: (parameterOf: (property: keyof E) => string) => string = () => '',
  ) {
    const { tablePath, columns } = db.getMetadata(entity);
    this.columns = columns.filter(isWritten);
    const names = this.columns.map(({ databaseName }) => databaseName);
    const values = names.map((_, index) => `$${index + 1}`);
    const where = condition(
      (property) => `$${this.columns.findIndex(({ propertyName }) => propertyName === property) + 1}`,
    );
    this.text = `INSERT INTO ${tablePath} (${names.join(', ')}) SELECT ${values.join(', ')} ${where} RETURNING id`;
    this.prepared = new PreparedQuery(db, this.text);
  }

  /**
   * @param tx where the insert is one of several statements; alone it is a prepared query.
   * @returns the new row's id, null when the condition does not hold. What the database fills in (times, defaults of
   * generated columns) is not read back.
   */
  async run(row: E, tx?: EntityManager): Promise<number | null> {
    const values = this.columns.map((column) =>
      this.db.driver.preparePersistentValue(column.getEntityValue(row), column),
    );
    const [inserted] = await (tx ? tx.query<{ id: number }[]>(this.text, values) : this.prepared.run(values));
    return inserted?.id ?? null;
  }
}

const isWritten = ({
  isInsert,
  isGenerated,
  isCreateDate,
  isUpdateDate,
  isDeleteDate,
}: ColumnMetadata): boolean => isInsert && !isGenerated && !isCreateDate && !isUpdateDate && !isDeleteDate;
