import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { auditLog } from '../support/audit.js';
import { aNumberForSale, purchase } from '../support/bought-numbers.js';
import { CarrierBench } from '../support/carrier-bench.js';
import { runCommand } from '../support/command.js';

// Each command is a process of its own.
interface Sync {
  listed: number;
  updated: number;
  differences: { phone_number: string; account_id: number | null; difference: string }[];
}

describe('numbers at the carrier', () => {
  let bench: CarrierBench;
  let user: TestAccount;

  const cli = async (...args: string[]) => {
    const { code, output, problem } = await runCommand([...args, '--json'], bench.commandEnv);
    return { code, problem, report: output ? (JSON.parse(output) as unknown) : null };
  };

  beforeAll(async () => {
    bench = await CarrierBench.start();
    user = await anAccount({ service: bench });
  });
  afterAll(() => bench.stop());

  const idOf = async (number: string): Promise<number | undefined> => {
    const sql = 'SELECT id FROM phone_numbers WHERE phone_number = $1';
    return (await bench.db.query<{ id: number }>(sql, [number])).rows[0]?.id;
  };

  it('are compared with those of accounts and connected to the service', async () => {
    const [bought, stray] = [aNumberForSale(), aNumberForSale()];
    expect((await purchase(user, bought)).status).toBe(201);
    // At the carrier's console: one for the account, one that nobody uses.
    const added = aNumberForSale();
    for (const PhoneNumber of [added, stray])
      await bench.atCarrier('/IncomingPhoneNumbers.json', { PhoneNumber });
    await bench.db.query(
      `INSERT INTO phone_numbers (account_id, phone_number, country_code) VALUES ($1, $2, 'US')`,
      [user.id, added],
    );

    const first = await cli('numbers', 'sync');
    expect(first).toEqual({ code: 1, problem: expect.any(String), report: expect.any(Object) });
    const { differences, ...counts } = first.report as Sync;
    expect(counts).toEqual({ listed: 3, updated: 1 });
    const missing = {
      phone_number: user.phoneNumber.phone_number,
      account_id: user.id,
      difference: 'missing',
    };
    const unassigned = { phone_number: stray, account_id: null, difference: 'unassigned' };
    const unconnected = { phone_number: added, account_id: user.id, difference: 'unconnected' };
    const synced = await auditLog(user, 'action=phone-number.update');
    expect(synced.map(({ actor, resource }) => [actor.type, resource.id])).toEqual([
      ['cli', String(await idOf(added))],
    ]);
    expect(synced[0]?.fields).toContain('carrier_sid');
    expect(differences).toHaveLength(3);
    expect(differences).toEqual(expect.arrayContaining([missing, unassigned, unconnected]));

    expect((await cli('numbers', 'connect')).report).toEqual({ connected: [added] });
    const second = (await cli('numbers', 'sync')).report as Sync;
    expect(second.updated).toBe(0);
    const changes = await auditLog(user, 'action=phone-number.update');
    expect(changes.map(({ details }) => details)).toEqual([{ connected: true }, expect.any(Object)]);
    expect(second.differences).toHaveLength(2);
    expect(second.differences).toEqual(expect.arrayContaining([missing, unassigned]));
  });

  it('cannot be requested without the carrier’s credentials', async () => {
    const { code, problem } = await runCommand(['numbers', 'sync']);
    expect(code).toBe(1);
    expect(problem).toContain('Set TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN');
  });
});
