import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { partialFake } from '#src/common/partial.fake.js';
import type { AccountsService } from '../accounts/accounts.service.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import type { AssistantsService } from '../assistants/assistants.service.js';
import type { CallStateService } from '#src/modules/calls/states/call-state.service.js';
import type { CallsRepository } from '../calls/calls.repository.js';
import type { CallView } from '../calls/call.view.js';
import type { LeadLookupService } from '../leads/lead-lookup.service.js';
import type { InboundCallWebhookService } from '../webhooks/inbound-call-webhook.service.js';
import { InboundCallsService } from './inbound-calls.service.js';

/** Transactions that have begun; each goes on when it is told to. */
interface Begun {
  end(id: number): void;
  fail(error: Error): void;
}

describe('callers who call at the same time', () => {
  let begun: Begun[];
  let service: InboundCallsService;

  beforeEach(() => {
    begun = [];
    const transaction = (): Promise<number> => new Promise((end, fail) => begun.push({ end, fail }));
    service = new InboundCallsService(
      partialFake<DataSource>({ transaction: transaction as never }),
      partialFake<AccountsService>({}),
      partialFake<AssistantsService>({
        // The account's id is the last digit of the number.
        findActiveInboundByNumber: async (to) => partialFake<AssistantView>({ accountId: Number(to.at(-1)) }),
      }),
      partialFake<CallsRepository>({
        findBySid: async () => null,
        findView: async (id) => partialFake<CallView>({ id, endedAt: new Date() }),
      }),
      partialFake<CallStateService>({}),
      partialFake<LeadLookupService>({ findOnlyLead: async () => null }),
      partialFake<InboundCallWebhookService>({}),
    );
  });

  const call = (sid: string, account: number) =>
    service.openInboundCall({ sid, from: '+12135550100', to: `+1415555010${account}` });

  it('wait for their account’s line outside the database, in order, and for no other account', async () => {
    const calls = [call('first', 1), call('second', 1), call('third', 1)];
    await setImmediate();
    expect(begun).toHaveLength(1);
    const other = call('other', 2);
    await setImmediate();
    expect(begun).toHaveLength(2);
    begun[1]?.end(20);
    expect(await other).toMatchObject({ id: 20 });
    begun[0]?.end(10);
    expect(await calls[0]).toMatchObject({ id: 10 });
    begun[2]?.end(11);
    expect(await calls[1]).toMatchObject({ id: 11 });
    begun[3]?.end(12);
    expect(await calls[2]).toMatchObject({ id: 12 });
  });

  it('continue after one whose record fails', async () => {
    const [first, second] = [call('first', 1), call('second', 1)];
    await setImmediate();
    begun[0]?.fail(new Error('the lock was not had in time'));
    await expect(first).rejects.toThrow('the lock was not had in time');
    await setImmediate();
    begun[1]?.end(11);
    expect(await second).toMatchObject({ id: 11 });
  });

  it('are asked to retry when too many wait', async () => {
    const waiting = Array.from({ length: 501 }, (_, n) => call(String(n), 1));
    await setImmediate();
    await expect(call('one too many', 1)).rejects.toMatchObject({ status: 503 });
    for (let n = 0; n < waiting.length; n++) {
      begun[n]?.end(n);
      await waiting[n];
      await setImmediate();
    }
    expect(begun).toHaveLength(501);
  });
});
