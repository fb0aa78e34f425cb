import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { partialFake } from '#src/common/partial.fake.js';
import { dataSourceOptions } from '#src/database/data-source-options.js';
import { DomainEventsService } from '#src/events/domain-events.service.js';
import { CallChangesService, type CallChange } from '#src/modules/calls/call-changes.service.js';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, BUSY, callWhen } from '../factories/call.js';
import { databaseUrl } from '../support/database.js';
import { allEntities } from '../support/entities.js';

describe('changes of several calls', () => {
  let db: DataSource;
  const changes = new CallChangesService(new DomainEventsService(), partialFake({}));
  let ids: [number, number];

  const recorded = (id: number, url: string): CallChange => ({
    key: { id },
    apply: (call) => {
      call.recordingUrl = (call.recordingUrl ?? '') + url;
    },
  });
  const recordingOf = async (id: number): Promise<unknown> => {
    const [row] = await db.query('SELECT recording_url AS url FROM calls WHERE id = $1', [id]);
    return row.url;
  };

  beforeAll(async () => {
    db = await new DataSource({
      ...dataSourceOptions(databaseUrl()),
      entities: await allEntities(),
    }).initialize();
    const user = await anAccount({ plan: 'unlimited' });
    const assistant = await anAssistant(user);
    // Nothing but the tests changes a call that is over.
    const aBusyCall = async (): Promise<number> => {
      const id = await aCall(user, assistant, { phoneNumber: BUSY });
      await callWhen(user, id, ({ status }) => status === 'busy');
      return id;
    };
    ids = [await aBusyCall(), await aBusyCall()];
  });
  afterAll(() => db.destroy());

  it('leave out a call that another transaction has locked', async () => {
    const [locked, free] = ids;
    await db.transaction(async (other) => {
      await other.query('SELECT FROM calls WHERE id = $1 FOR UPDATE', [locked]);
      const changed = await db.transaction((tx) =>
        changes.changeCalls(tx, [recorded(locked, 'a'), recorded(free, 'b')], { isSkipping: true }),
      );
      expect(changed.map((one) => one?.call.id ?? null)).toEqual([null, free]);
    });
    expect([await recordingOf(locked), await recordingOf(free)]).toEqual([null, 'b']);
  });

  it('of one call are applied in their order and returned as one', async () => {
    const [id] = ids;
    const [first, unknown, second] = await db.transaction((tx) =>
      changes.changeCalls(tx, [recorded(id, 'c'), recorded(0, 'x'), recorded(id, 'd')]),
    );
    expect(unknown).toBeNull();
    expect(first).toBe(second);
    expect(await recordingOf(id)).toBe('cd');
  });

  it('leave the columns that they do not change as they are', async () => {
    const [id] = ids;
    const checkAt = '2100-01-01 00:00:00.123456+00';
    await db.query('UPDATE calls SET check_at = $2 WHERE id = $1', [id, checkAt]);
    await db.transaction((tx) => changes.changeCalls(tx, [recorded(id, 'e')]));
    const [{ kept }] = await db.query('SELECT check_at = $2::timestamptz AS kept FROM calls WHERE id = $1', [
      id,
      checkAt,
    ]);
    expect(kept).toBe(true);
    await db.query('UPDATE calls SET check_at = NULL WHERE id = $1', [id]);
  });
});
