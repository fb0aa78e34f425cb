import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { AccessTokensService } from '#src/auth/access-tokens.service.js';
import { AccountsAdminService } from '#src/modules/accounts/accounts-admin.service.js';
import { AssistantsService } from '#src/modules/assistants/assistants.service.js';
import { CampaignChangesService } from '#src/modules/campaigns/campaign-changes.service.js';
import { CampaignsService } from '#src/modules/campaigns/campaigns.service.js';
import { PhoneNumbersService } from '#src/modules/phone-numbers/phone-numbers.service.js';
import { startBanner, ensureDemoAccounts, type DemoOptions, type DemoFile } from './demo-accounts.js';

/** In-memory versions of the services that create the accounts. */
class FakeApp {
  readonly accounts: { id: number; email: string }[] = [];
  readonly topUps = new Set<string>();
  private issued = 0;
  readonly tokens = new Map<string, number>();
  readonly numbers: { id: number; accountId: number; phone_number: string; sms_capable: boolean }[] = [];
  readonly campaigns: { id: number; accountId: number; name: string }[] = [];
  readonly assistants: { id: number; accountId: number; name: string; widgetSettings: object }[] = [];

  private readonly services = new Map<unknown, unknown>([
    [
      AccountsAdminService,
      {
        listAccounts: async () => this.accounts,
        createAccount: async ({ email }: { email: string }) => add(this.accounts, { email }),
        topUp: async (email: string, amount: string) => this.topUps.add(`${email} ${amount}`),
      },
    ],
    [
      AccessTokensService,
      {
        findGrant: async (token: string) => {
          const accountId = this.tokens.get(token);
          return accountId === undefined ? null : { accountId };
        },
        createToken: async (accountId: number) => {
          const token = `token-${++this.issued}`;
          this.tokens.set(token, accountId);
          return { token };
        },
      },
    ],
    [
      PhoneNumbersService,
      {
        listPhoneNumbers: async (accountId: number) =>
          this.numbers.filter((one) => one.accountId === accountId),
        addPhoneNumber: async ({
          accountId,
          phoneNumber,
          smsCapable,
        }: {
          accountId: number;
          phoneNumber: string;
          smsCapable: boolean;
        }) => add(this.numbers, { accountId, phone_number: phoneNumber, sms_capable: smsCapable }),
      },
    ],
    [
      CampaignsService,
      {
        listCampaigns: async (accountId: number) =>
          this.campaigns.filter((one) => one.accountId === accountId),
      },
    ],
    [
      CampaignChangesService,
      {
        createCampaign: async (accountId: number, { name }: { name: string }) =>
          add(this.campaigns, { accountId, name }),
      },
    ],
    [
      AssistantsService,
      {
        findOutboundByName: async (accountId: number, name: string) =>
          this.assistants.find((one) => one.accountId === accountId && one.name === name)?.id ?? null,
        createAssistant: async (
          accountId: number,
          dto: { assistant_name: string; widget_settings: object },
        ) =>
          add(this.assistants, { accountId, name: dto.assistant_name, widgetSettings: dto.widget_settings }),
        getAssistant: async (_accountId: number, id: number) => ({ uuid: `uuid-${id}` }),
        assistantView: async (_accountId: number, id: number) => this.assistants.find((one) => one.id === id),
      },
    ],
  ]);

  get(token: unknown): unknown {
    return this.services.get(token);
  }
}

function add<T extends object>(list: (T & { id: number })[], item: T): T & { id: number } {
  const added = { id: list.length + 1, ...item };
  list.push(added);
  return added;
}

describe('demo accounts', () => {
  let dataDir: string;
  let app: FakeApp;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'demo-'));
    app = new FakeApp();
  });

  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const ensure = (options: Partial<DemoOptions> = {}): Promise<DemoFile> =>
    ensureDemoAccounts(app as unknown as INestApplicationContext, {
      dataDir,
      baseUrl: 'http://127.0.0.1:3000/api',
      docsUrl: 'http://127.0.0.1:3000/docs',
      consoleUrl: 'http://127.0.0.1:3000/console',
      sandboxUrl: 'http://127.0.0.1:4010',
      publicUrl: 'http://127.0.0.1:3000',
      ...options,
    });
  const path = (): string => join(dataDir, 'demo.json');

  it('are created on the first start; only the owner can read the file', async () => {
    const demo = await ensure();
    expect(demo).toEqual({
      base_url: 'http://127.0.0.1:3000/api',
      docs_url: 'http://127.0.0.1:3000/docs',
      console_url: 'http://127.0.0.1:3000/console',
      sandbox_url: 'http://127.0.0.1:4010',
      accounts: [
        {
          email: 'demo@example.com',
          token: 'token-1',
          phone_numbers: [
            { id: 1, phone_number: '+14155550100', sms_capable: true },
            { id: 2, phone_number: '+14155550101', sms_capable: false },
          ],
          campaign_id: 1,
          talk_url: 'http://127.0.0.1:3000/widget-preview/uuid-1',
        },
        {
          email: 'second@example.com',
          token: 'token-2',
          phone_numbers: [{ id: 3, phone_number: '+14155550110', sms_capable: true }],
          campaign_id: 2,
          talk_url: 'http://127.0.0.1:3000/widget-preview/uuid-2',
        },
      ],
    });
    expect(JSON.parse(readFileSync(path(), 'utf8'))).toEqual(demo);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect([...app.topUps]).toEqual(['demo@example.com 100', 'second@example.com 100']);
  });

  it('are kept on later starts, with the current addresses', async () => {
    const first = await ensure();
    const later = await ensure({ baseUrl: 'http://127.0.0.1:4000/api' });
    expect(later).toEqual({ ...first, base_url: 'http://127.0.0.1:4000/api' });
    expect([app.accounts.length, app.numbers.length, app.campaigns.length, app.assistants.length]).toEqual([
      2, 3, 2, 2,
    ]);
  });

  it('get new tokens when the file is missing or invalid, or a token is revoked', async () => {
    await ensure();
    rmSync(path());
    expect((await ensure()).accounts[0]?.token).toBe('token-3');
    writeFileSync(path(), 'not JSON');
    expect((await ensure()).accounts[0]?.token).toBe('token-5');
    app.tokens.delete('token-5');
    expect((await ensure()).accounts.map(({ token }) => token)).toEqual(['token-7', 'token-6']);
    expect(app.accounts).toHaveLength(2);
  });

  it('have no talk URL for an assistant whose widget is disabled', async () => {
    await ensure();
    app.assistants[0]!.widgetSettings = { enabled: false };
    expect((await ensure()).accounts.map(({ talk_url }) => talk_url)).toEqual([
      null,
      'http://127.0.0.1:3000/widget-preview/uuid-2',
    ]);
  });

  it('get a new campaign when their campaign is deleted', async () => {
    await ensure();
    app.campaigns.splice(0, 1);
    const demo = await ensure();
    expect(
      app.campaigns.some(({ id, accountId }) => id === demo.accounts[0]?.campaign_id && accountId === 1),
    ).toBe(true);
  });
});

it('the banner has the addresses, the first token and a command to try', () => {
  const text = startBanner(
    {
      base_url: 'http://127.0.0.1:3000/api',
      docs_url: 'http://127.0.0.1:3000/docs',
      console_url: 'http://127.0.0.1:3000/console',
      sandbox_url: 'http://127.0.0.1:4010',
      accounts: [
        {
          email: 'demo@example.com',
          token: 'vac_first',
          phone_numbers: [],
          campaign_id: 1,
          talk_url: 'http://t/1',
        },
        {
          email: 'second@example.com',
          token: 'vac_second',
          phone_numbers: [],
          campaign_id: 2,
          talk_url: null,
        },
      ],
    },
    { seconds: 1.234 },
  );
  expect(text).toContain('ready in 1.2 s');
  expect(text).toContain('  Console  http://127.0.0.1:3000/console#key=vac_first\n');
  expect(text).toContain('http://127.0.0.1:3000/docs');
  expect(text).toContain("curl -H 'Authorization: Bearer vac_first' http://127.0.0.1:3000/api/user/me");
  expect(text).toContain('no real call is made');
  expect(text).toContain('Talk     http://t/1 (in a browser)');
  expect(text).not.toContain('vac_second');
});
