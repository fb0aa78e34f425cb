import { join } from 'node:path';
import { readPrivateFile, writePrivateFile } from '#src/embedded/runtime-record.js';
import type { INestApplicationContext } from '@nestjs/common';
import { AccessTokensService } from '#src/auth/access-tokens.service.js';
import { AccountsAdminService } from '#src/modules/accounts/accounts-admin.service.js';
import type { CreateAssistantDto } from '#src/modules/assistants/dto/assistant-input.dto.js';
import { AssistantsService } from '#src/modules/assistants/assistants.service.js';
import { CampaignChangesService } from '#src/modules/campaigns/campaign-changes.service.js';
import { CampaignsService } from '#src/modules/campaigns/campaigns.service.js';
import { PhoneNumbersService } from '#src/modules/phone-numbers/phone-numbers.service.js';

interface Person {
  name: string;
  email: string;
  /** 555-01xx is reserved for fictional use; the sandbox's callees have numbers in +1 500 555. */
  numbers: { phoneNumber: string; smsCapable: boolean; nickname: string }[];
}

const PEOPLE: readonly Person[] = [
  {
    name: 'Demo',
    email: 'demo@example.com',
    numbers: [
      { phoneNumber: '+14155550100', smsCapable: true, nickname: 'Calls and SMS' },
      { phoneNumber: '+14155550101', smsCapable: false, nickname: 'Calls only' },
    ],
  },
  {
    name: 'Second',
    email: 'second@example.com',
    numbers: [{ phoneNumber: '+14155550110', smsCapable: true, nickname: 'Calls and SMS' }],
  },
];

const PLAN = 'standard';

const BALANCE = '100';

const CAMPAIGN_NAME = 'First campaign';

const ASSISTANT: CreateAssistantDto & { assistant_name: string } = {
  assistant_name: 'Receptionist',
  voice_id: 1,
  language: 'English',
  llm_model: 'gpt-6-luna',
  calls_direction: 'make',
  engine_type: 'pipeline',
  timezone: 'America/New_York',
  initial_message: 'Hello {name}, this is the practice of Dr. Lee. Do you have a moment?',
  system_prompt:
    'You are the friendly receptionist of a dental practice. Make an appointment with the customer.',
  // Of people who talk to it in a browser the name is not known.
  variables: { name: 'there' },
  widget_settings: { enabled: true, allowed_origins: [] },
};

export interface DemoAccount {
  email: string;
  token: string;
  phone_numbers: { id: number; phone_number: string; sms_capable: boolean }[];
  campaign_id: number;
  /** Where a person talks to the assistant in a browser; null: its widget is not enabled. */
  talk_url: string | null;
}

/** `DATA_DIR/demo.json`: the addresses of a service on its private database, and tokens of its demo accounts. */
export interface DemoFile {
  /** Includes the API prefix. */
  base_url: string;
  docs_url: string;
  /** Null when the service has no console. */
  console_url: string | null;
  /** Null when a real carrier is configured. */
  sandbox_url: string | null;
  accounts: DemoAccount[];
}

/** Null when there is none, or it is not JSON. */
export function readDemoFile(dataDir: string): DemoFile | null {
  const text = readPrivateFile(pathIn(dataDir));
  if (text === null) return null;
  try {
    return JSON.parse(text) as DemoFile;
  } catch {
    return null;
  }
}

function writeDemoFile(dataDir: string, demo: DemoFile): void {
  writePrivateFile(pathIn(dataDir), `${JSON.stringify(demo, null, 2)}\n`);
}

const pathIn = (dataDir: string): string => join(dataDir, 'demo.json');

export interface DemoOptions {
  dataDir: string;
  /** Includes the API prefix. */
  baseUrl: string;
  docsUrl: string;
  consoleUrl: string | null;
  sandboxUrl: string | null;
  publicUrl: string;
}

/**
 * Two accounts with phone numbers, an assistant and a campaign. Each start creates what is missing and rewrites the
 * file with the current addresses; tokens that are still valid are kept.
 */
export async function ensureDemoAccounts(
  app: INestApplicationContext,
  options: DemoOptions,
): Promise<DemoFile> {
  const previous = readDemoFile(options.dataDir)?.accounts ?? [];
  const accounts: DemoAccount[] = [];
  // One after another: the ids are those of the guides.
  for (const person of PEOPLE) {
    const known = previous.find(({ email }) => email === person.email);
    accounts.push(await ensureAccount(app, person, { known, publicUrl: options.publicUrl }));
  }
  const demo: DemoFile = {
    base_url: options.baseUrl,
    docs_url: options.docsUrl,
    console_url: options.consoleUrl,
    sandbox_url: options.sandboxUrl,
    accounts,
  };
  writeDemoFile(options.dataDir, demo);
  return demo;
}

async function ensureAccount(
  app: INestApplicationContext,
  person: Person,
  { known, publicUrl }: { known: DemoAccount | undefined; publicUrl: string },
): Promise<DemoAccount> {
  const id = await ensurePerson(app, person);
  const assistantId = await ensureAssistant(app, id);
  const [token, phone_numbers, campaign_id, talk_url] = await Promise.all([
    ensureToken(app, id, known?.token),
    ensureNumbers(app, id, person),
    ensureCampaign(app, id, assistantId, known?.campaign_id),
    talkUrl(app, id, { assistantId, publicUrl }),
  ]);
  return { email: person.email, token, phone_numbers, campaign_id, talk_url };
}

async function ensurePerson(app: INestApplicationContext, { name, email }: Person): Promise<number> {
  const accounts = app.get(AccountsAdminService, { strict: false });
  const found = (await accounts.listAccounts()).find((account) => account.email === email);
  const { id } = found ?? (await accounts.createAccount({ name, email, plan: PLAN, country: 'US' }));
  // On every start: the reference adds it once, also when the process died after it created the account.
  await accounts.topUp(email, BALANCE, `opening-balance-${id}`);
  return id;
}

async function ensureToken(app: INestApplicationContext, accountId: number, known?: string): Promise<string> {
  const tokens = app.get(AccessTokensService, { strict: false });
  if (known && (await tokens.findGrant(known))?.accountId === accountId) return known;
  return (await tokens.createToken(accountId, 'demo')).token;
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
  assistantId: number,
  known?: number,
): Promise<number> {
  const service = app.get(CampaignsService, { strict: false });
  const campaigns = await service.listCampaigns(accountId);
  const found =
    campaigns.find(({ id }) => id === known) ?? campaigns.find(({ name }) => name === CAMPAIGN_NAME);
  if (found) return found.id;
  const changes = app.get(CampaignChangesService, { strict: false });
  return (await changes.createCampaign(accountId, { name: CAMPAIGN_NAME, assistant_id: assistantId })).id;
}

async function ensureAssistant(app: INestApplicationContext, accountId: number): Promise<number> {
  const assistants = app.get(AssistantsService, { strict: false });
  const found = await assistants.findOutboundByName(accountId, ASSISTANT.assistant_name);
  if (found !== null) return found;
  return (await assistants.createAssistant(accountId, ASSISTANT)).id;
}

async function talkUrl(
  app: INestApplicationContext,
  accountId: number,
  { assistantId, publicUrl }: { assistantId: number; publicUrl: string },
): Promise<string | null> {
  const assistants = app.get(AssistantsService, { strict: false });
  const { uuid } = await assistants.getAssistant(accountId, assistantId);
  const view = await assistants.assistantView(accountId, assistantId);
  return view?.widgetSettings['enabled'] === true ? `${publicUrl}/widget-preview/${uuid}` : null;
}

/**
 * Opens the console signed in; null: there is no console. Browsers send no fragment, so that the key is in no log.
 */
export const consoleLink = ({ console_url: url, accounts: [first] }: DemoFile): string | null =>
  url && first ? `${url}#key=${first.token}` : null;

/** Printed after a start on the private database. @param ready `seconds` the start took */
export function startBanner(demo: DemoFile, ready: { seconds: number }): string {
  const { base_url, docs_url, sandbox_url, accounts } = demo;
  const [first] = accounts;
  const link = consoleLink(demo);
  const carrier = sandbox_url === null ? 'as set' : `sandbox at ${sandbox_url}: no real call is made`;
  return [
    '',
    `  Voice Assistant Calling Service, ready in ${ready.seconds.toFixed(1)} s`,
    '',
    ...(link ? [`  Console  ${link}`] : []),
    `  API      ${base_url}`,
    `  Docs     ${docs_url}`,
    `  Carrier  ${carrier}`,
    `  Account  ${first?.email}`,
    `  Token    ${first?.token}`,
    ...(first?.talk_url ? [`  Talk     ${first.talk_url} (in a browser)`] : []),
    '',
    '  Try it:',
    '',
    `    curl -H 'Authorization: Bearer ${first?.token}' ${base_url}/user/me`,
    '',
    '  See six calls: npm run demo',
    '',
  ].join('\n');
}
