import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { exitOnClosedPipe, toExplanation } from './output.js';
import { DemoApi, DemoError, type DataResponse } from './demo/api.js';
import { AppointmentServer, verifyWebhooks, WebhookReceiver } from './demo/local-servers.js';
import { type DemoService, findService } from './demo/demo-service.js';
import { progressViewFor, formatDemoSummary } from './demo/progress.js';
import { watchDemoCampaign, type CampaignRun } from './demo/campaign-run.js';
import { readSearches } from './demo/searches.js';
import {
  DEMO_MODES,
  setUpDemo,
  setCampaignAction,
  type DemoMode,
  type DemoResources,
} from './demo/scenario.js';

/** Limit for the calls: with start and stop of the service the demo takes at most a minute. */
const DEADLINE_MS = 52_000;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const started = performance.now();

/** Milliseconds, without a build that ran before in this process. */
const elapsed = (): number => performance.now() - started;

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/** The address at which the service reaches this process; differs when the service runs in a container. */
const host = process.env.DEMO_HOST || '127.0.0.1';

/** The usual causes of a missing webhook. */
const UNREACHABLE_HINT = `\nThe service must be able to reach ${host} (DEMO_HOST) and be allowed to (OUTBOUND_ALLOW_CIDRS=127.0.0.0/8).`;

interface LocalServers {
  appointments: AppointmentServer;
  receiver: WebhookReceiver;
}

async function runDemo(
  service: DemoService,
  mode: DemoMode,
  { appointments, receiver }: LocalServers,
): Promise<void> {
  const api = new DemoApi(service.baseUrl, service.token);
  const addresses = { tool: await appointments.open(host), webhook: await receiver.open(host) };
  const before = await balance(api);
  const resources = await setUpDemo(api, mode, addresses);
  say(
    `Tool ${resources.toolId}, knowledge base ${resources.baseId}, assistant ${resources.assistantId}, campaign ${resources.campaignId} with six leads.\n`,
  );
  const run = await runCampaign(api, resources, receiver);
  throwIfUnfinished(run, receiver);
  const { data } = await api.get<DataResponse<{ secret: string }>>('/user/webhook-secret');
  const webhooks = await verifyWebhooks(data.secret, receiver.received);
  const { calls } = run;
  const searches = await readSearches(api, calls);
  say(
    formatDemoSummary({
      calls,
      toolRequests: appointments.requests,
      searches,
      webhooks,
      balance: { before, after: await balance(api) },
    }),
  );
  if (webhooks.some(({ problem }) => problem !== null))
    throw new DemoError('The signature of a webhook is not valid.');
  if (appointments.requests.length === 0) throw new DemoError('The assistant did not use its tool.');
  if (!searches.some(({ source }) => source !== null))
    throw new DemoError('The assistant answered nothing from its document.');
}

async function runCampaign(
  api: DemoApi,
  { campaignId }: DemoResources,
  receiver: WebhookReceiver,
): Promise<CampaignRun> {
  const begin = performance.now();
  const progress = progressViewFor(process.stdout, process.env);
  await setCampaignAction(api, campaignId, 'start');
  try {
    return await watchDemoCampaign({
      api,
      campaignId,
      hasWebhookOf: (callId) => receiver.hasWebhookOf(callId),
      show: (leads) => progress.show(leads, (performance.now() - begin) / 1000),
      signal: AbortSignal.timeout(Math.max(0, Math.round(DEADLINE_MS - elapsed()))),
    });
  } finally {
    await setCampaignAction(api, campaignId, 'stop');
  }
}

function throwIfUnfinished({ leads, calls }: CampaignRun, receiver: WebhookReceiver): void {
  const open = leads
    .filter(({ settled }) => !settled)
    .map(({ phoneNumber, state }) => `${phoneNumber} is ${state}`);
  const unreported = calls.filter(({ id, status }) => status === 'completed' && !receiver.hasWebhookOf(id));
  const missing = unreported.map(
    ({ id, webhook_response }) =>
      `the webhook of call ${id} has not arrived (${webhook_response.error ?? 'not sent yet'})`,
  );
  const wrong = [...open, ...missing];
  if (wrong.length > 0)
    throw new DemoError(
      `The calls did not finish in time: ${wrong.join(', ')}.${missing.length > 0 ? UNREACHABLE_HINT : ''}`,
    );
}

const balance = async (api: DemoApi): Promise<number> =>
  (await api.get<{ total_balance: number }>('/user/me')).total_balance;

/** @throws DemoError for an unknown option */
function readOptions(args: string[]): { mode: DemoMode; exits: boolean } {
  try {
    const { values } = parseArgs({
      args,
      options: {
        mode: { type: 'string', default: DEMO_MODES[0] },
        exit: { type: 'boolean', default: false },
      },
    });
    const mode = DEMO_MODES.find((one) => one === values.mode);
    if (mode) return { mode, exits: values.exit };
  } catch {
    // Other options.
  }
  throw new DemoError(`usage: npm run demo [-- --mode ${DEMO_MODES.join('|')}] [-- --exit]`);
}

/** Shows a person the calls in the console until Ctrl C, which a terminal sends to the service too. */
async function staySoThatItCanBeSeen(ended: Promise<unknown>): Promise<void> {
  say('The service stays for you to look at its calls. Ctrl C stops it.');
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  await Promise.race([ended, ...SIGNALS.map((signal) => once(process, signal))]);
}

async function main(): Promise<void> {
  const { mode, exits } = readOptions(process.argv.slice(2));
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  const service = await findService(process.env);
  say(`Service: ${service.baseUrl} (${service.origin})`);
  const servers = { appointments: new AppointmentServer(), receiver: new WebhookReceiver() };
  const stays = service.ended !== null && process.stdout.isTTY && !exits;
  try {
    await runDemo(service, mode, servers);
    if (service.ended === null || stays) showLinks(service);
    if (service.ended && stays) return await staySoThatItCanBeSeen(service.ended);
  } finally {
    servers.appointments.close();
    servers.receiver.close();
    await service.stop();
  }
  say(`Done in ${(elapsed() / 1000).toFixed(1)} s.`);
}

function showLinks({ consoleUrl, talkUrl }: DemoService): void {
  if (consoleUrl) say(`Console  ${consoleUrl}`);
  if (talkUrl) say(`Talk to the assistant in a browser: ${talkUrl}`);
}

exitOnClosedPipe();
try {
  await main();
} catch (error) {
  const { exitCode, text } = toExplanation(error);
  process.stderr.write(`\nThe demo failed. ${text}\n`);
  process.exitCode = exitCode;
}
