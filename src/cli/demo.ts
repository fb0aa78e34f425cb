import { parseArgs } from 'node:util';
import { exitOnClosedPipe, explain } from './output.js';
import { Api, DemoFailed, type Data } from './demo/api.js';
import { AppointmentServer, verifyWebhooks, WebhookReceiver } from './demo/local-servers.js';
import { type DemoService, findService } from './demo/demo-service.js';
import { progressOn, summarize } from './demo/progress.js';
import { watchCampaign, type CampaignRun } from './demo/campaign-run.js';
import { MODES, setUp, switchCampaign, type DemoMode, type DemoResources } from './demo/scenario.js';

/** Limit for the calls: with start and stop of the service the demo takes at most a minute. */
const DEADLINE_MS = 52_000;

const started = performance.now();

/** Milliseconds, without a build that ran before in this process. */
const elapsed = (): number => performance.now() - started;

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/** The address at which the service reaches this process; differs when the service runs in a container. */
const host = process.env.DEMO_HOST || '127.0.0.1';

/** The usual causes of a missing webhook. */
const UNREACHABLE_HINT = `\nThe service must be able to reach ${host} (DEMO_HOST) and be allowed to (OUTBOUND_ALLOW_CIDRS=127.0.0.0/8).`;

async function runDemo(service: DemoService, mode: DemoMode): Promise<void> {
  const api = new Api(service.baseUrl, service.token);
  const [appointments, receiver] = [new AppointmentServer(), new WebhookReceiver()];
  const addresses = { tool: await appointments.open(host), webhook: await receiver.open(host) };
  try {
    const before = await balance(api);
    const resources = await setUp(api, mode, addresses);
    say(
      `Tool ${resources.toolId}, assistant ${resources.assistantId}, campaign ${resources.campaignId} with six leads.\n`,
    );
    const run = await runCampaign(api, resources, receiver);
    throwIfUnfinished(run, receiver);
    const { data } = await api.get<Data<{ secret: string }>>('/user/webhook-secret');
    const webhooks = await verifyWebhooks(data.secret, receiver.received);
    const { calls } = run;
    say(
      summarize({
        calls,
        toolRequests: appointments.requests,
        webhooks,
        balance: { before, after: await balance(api) },
      }),
    );
    if (webhooks.some(({ problem }) => problem !== null))
      throw new DemoFailed('The signature of a webhook is not valid.');
    if (appointments.requests.length === 0) throw new DemoFailed('The assistant did not use its tool.');
  } finally {
    appointments.close();
    receiver.close();
  }
}

async function runCampaign(
  api: Api,
  { campaignId }: DemoResources,
  receiver: WebhookReceiver,
): Promise<CampaignRun> {
  const begin = performance.now();
  const progress = progressOn(process.stdout, process.env);
  await switchCampaign(api, campaignId, 'start');
  try {
    return await watchCampaign({
      api,
      campaignId,
      hasWebhookOf: (callId) => receiver.hasWebhookOf(callId),
      show: (leads) => progress.show(leads, (performance.now() - begin) / 1000),
      signal: AbortSignal.timeout(Math.max(0, Math.round(DEADLINE_MS - elapsed()))),
    });
  } finally {
    await switchCampaign(api, campaignId, 'stop');
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
    throw new DemoFailed(
      `The calls did not finish in time: ${wrong.join(', ')}.${missing.length > 0 ? UNREACHABLE_HINT : ''}`,
    );
}

const balance = async (api: Api): Promise<number> =>
  (await api.get<{ total_balance: number }>('/user/me')).total_balance;

/** @throws DemoFailed for an unknown option */
function readMode(args: string[]): DemoMode {
  try {
    const { values } = parseArgs({ args, options: { mode: { type: 'string', default: MODES[0] } } });
    const mode = MODES.find((one) => one === values.mode);
    if (mode) return mode;
  } catch {
    // Other options.
  }
  throw new DemoFailed(`usage: npm run demo [-- --mode ${MODES.join('|')}]`);
}

async function main(): Promise<void> {
  const mode = readMode(process.argv.slice(2));
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  const service = await findService(process.env);
  say(`Service: ${service.baseUrl} (${service.origin})`);
  try {
    await runDemo(service, mode);
  } finally {
    await service.stop();
  }
  if (service.talkUrl) say(`Talk to the assistant in a browser: ${service.talkUrl}`);
  say(`Done in ${(elapsed() / 1000).toFixed(1)} s.`);
}

exitOnClosedPipe();
try {
  await main();
} catch (error) {
  const { exitCode, text } = explain(error);
  process.stderr.write(`\nThe demo failed. ${text}\n`);
  process.exitCode = exitCode;
}
