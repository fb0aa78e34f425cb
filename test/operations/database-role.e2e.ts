import { describe, expect, it } from '@jest/globals';
import { database } from '../support/database.js';

describe('the role of the service in its private database', () => {
  it('is no superuser, and owns every table', async () => {
    const { rows: roles } = await database().query(
      `SELECT DISTINCT rolname AS name, rolsuper AS super FROM pg_stat_activity JOIN pg_roles ON oid = usesysid
        WHERE application_name LIKE 'calls-%'`,
    );
    expect(roles).toEqual([{ name: 'calling', super: false }]);
    const { rows: owners } = await database().query(
      `SELECT DISTINCT tableowner AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    expect(owners).toEqual([{ name: 'calling' }]);
  });
});
