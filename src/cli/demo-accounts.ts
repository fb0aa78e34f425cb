import { join } from 'node:path';
import { readPrivateFile, writePrivateFile } from '#src/embedded/runtime-record.js';
import type { INestApplicationContext } from '@nestjs/common';
import { AccessTokensService } from '#src/auth/access-tokens.service.js';
import { AccountsAdminService } from '#src/modules/accounts/accounts-admin.service.js';
import { AssistantEditorService } from '#src/modules/assistants/assistant-editor.service.js';
import { AssistantsService } from '#src/modules/assistants/assistants.service.js';
import { CampaignsService } from '#src/modules/campaigns/campaigns.service.js';
import { PhoneNumbersService } from '#src/modules/phone-numbers/phone-numbers.service.js';
import { ASSISTANT, BALANCE, CAMPAIGN_NAME, PEOPLE, PLAN, type Person } from './demo-people.js';

export interface DemoAccount {
  email: string;
  token: string;
  phone_numbers: { id: number; phone_number: string; sms_capable: boolean }[];
  campaign_id: number;
}

/** `DATA_DIR/demo.json`: how to reach a service that is tried out, and as whom. */
export interface DemoFile {
  /** Ends with the API's prefix. */
  base_url: string;
  docs_url: string;
  /** Null: a real carrier is set. */
  sandbox_url: string | null;
  accounts: DemoAccount[];
}

/** Null when there is none, or one that nobody can read any more. */
export function readDemoFile(dataDir: string): DemoFile | null {
  const text = readPrivateFile(pathIn(dataDir));
  if (text === null) return null;
  try {
    return JSON.parse(text) as DemoFile;
  } catch {
    return null;
  }
}

export function writeDemoFile(dataDir: string, demo: DemoFile): void {
  writePrivateFile(pathIn(dataDir), `${JSON.stringify(demo, null, 2)}\n`);
}

const pathIn = (dataDir: string): string => join(dataDir, 'demo.json');

export interface DemoOptions {
  dataDir: string;
  /** Ends with the API's prefix. */
  baseUrl: string;
  docsUrl: string;
  sandboxUrl: string | null;
}

/**
 * Two accounts with everything that a first try needs. Each start makes what is missing and writes the file anew:
 * addresses change, tokens that still open their account stay.
 */
export async function ensureDemoAccounts(
  app: INestApplicationContext,
  options: DemoOptions,
): Promise<DemoFile> {
  const former = readDemoFile(options.dataDir)?.accounts ?? [];
  const accounts: DemoAccount[] = [];
  for (const person of PEOPLE) {
    const known = former.find(({ email }) => email === person.email);
    accounts.push(await ensureAccount(app, person, known));
  }
  const { baseUrl, docsUrl, sandboxUrl } = options;
  const demo: DemoFile = { base_url: baseUrl, docs_url: docsUrl, sandbox_url: sandboxUrl, accounts };
  writeDemoFile(options.dataDir, demo);
  return demo;
}

async function ensureAccount(
  app: INestApplicationContext,
  person: Person,
  known: DemoAccount | undefined,
): Promise<DemoAccount> {
  const id = await ensurePerson(app, person);
  return {
    email: person.email,
    token: await ensureToken(app, id, known?.token),
    phone_numbers: await ensureNumbers(app, id, person),
    campaign_id: await ensureCampaign(app, id, known?.campaign_id),
  };
}

async function ensurePerson(app: INestApplicationContext, { name, email }: Person): Promise<number> {
  const accounts = app.get(AccountsAdminService, { strict: false });
  const found = (await accounts.listAccounts()).find((account) => account.email === email);
  const { id } = found ?? (await accounts.createAccount({ name, email, plan: PLAN, country: 'US' }));
  // Posted once, whatever was spent since: also when the process died between account and balance.
  await accounts.topUp(email, BALANCE, `opening-balance-${id}`);
  return id;
}

async function ensureToken(app: INestApplicationContext, accountId: number, known?: string): Promise<string> {
  const tokens = app.get(AccessTokensService, { strict: false });
  if (known && (await tokens.findAccountByToken(known)) === accountId) return known;
  return tokens.createToken(accountId, 'demo');
}

async function ensureNumbers(
  app: INestApplicationContext,
  accountId: number,
  person: Person,
): Promise<DemoAccount['phone_numbers']> {
  const service = app.get(PhoneNumbersService, { strict: false });
  const held = new Set((await service.listPhoneNumbers(accountId)).map((number) => number.phone_number));
  for (const number of person.numbers.filter(({ phoneNumber }) => !held.has(phoneNumber))) {
    await service.addPhoneNumber({ ...number, accountId, expiresAt: null });
  }
  const numbers = (await service.listPhoneNumbers(accountId)).toSorted((one, other) => one.id - other.id);
  return numbers.map(({ id, phone_number, sms_capable }) => ({ id, phone_number, sms_capable }));
}

async function ensureCampaign(
  app: INestApplicationContext,
  accountId: number,
  known?: number,
): Promise<number> {
  const service = app.get(CampaignsService, { strict: false });
  const campaigns = await service.listCampaigns(accountId);
  const found =
    campaigns.find(({ id }) => id === known) ?? campaigns.find(({ name }) => name === CAMPAIGN_NAME);
  if (found) return found.id;
  const assistantId = await ensureAssistant(app, accountId);
  return (await service.createCampaign(accountId, { name: CAMPAIGN_NAME, assistant_id: assistantId })).id;
}

async function ensureAssistant(app: INestApplicationContext, accountId: number): Promise<number> {
  const assistants = app.get(AssistantsService, { strict: false });
  const found = await assistants.outboundNamed(accountId, ASSISTANT.assistant_name);
  if (found !== null) return found;
  return (await app.get(AssistantEditorService, { strict: false }).createAssistant(accountId, ASSISTANT)).id;
}
