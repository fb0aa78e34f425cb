import { endWithReader, explain } from './output.js';
import { Api, DemoFailed, type Data } from './demo/api.js';
import { AppointmentDesk, verifyWebhooks, WebhookReceiver } from './demo/local-servers.js';
import { type DemoService, findService } from './demo/demo-service.js';
import { progressOn, summarize } from './demo/progress.js';
import { watchRound, type Round } from './demo/round.js';
import { setUp, switchCampaign, type Stage } from './demo/set-up.js';

/** The calls must be over by then; what is left of the minute is for reading and stopping. */
const DEADLINE_MS = 52_000;

const started = performance.now();

/** Milliseconds; a build may have come before us in this process. */
const elapsed = (): number => performance.now() - started;

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/** The address at which the service reaches this process; another one where the service runs in a container. */
const host = process.env.DEMO_HOST || '127.0.0.1';

/** Most often the service is not allowed to call this machine, or lives on another one. */
const REACH = `\nThe service must reach ${host} (DEMO_HOST) and be allowed to (OUTBOUND_ALLOW_CIDRS=127.0.0.0/8).`;

async function demonstrate(service: DemoService): Promise<void> {
  const api = new Api(service.baseUrl, service.token);
  const [desk, receiver] = [new AppointmentDesk(), new WebhookReceiver()];
  const addresses = { tool: await desk.open(host), webhook: await receiver.open(host) };
  try {
    const before = await balance(api);
    const stage = await setUp(api, addresses);
    say(
      `Tool ${stage.toolId}, assistant ${stage.assistantId}, campaign ${stage.campaignId} with six leads.\n`,
    );
    const round = await play(api, stage, receiver);
    complainIfUnfinished(round, receiver);
    const { data } = await api.get<Data<{ secret: string }>>('/user/webhook-secret');
    const webhooks = await verifyWebhooks(data.secret, receiver.received);
    const { calls } = round;
    say(
      summarize({
        calls,
        enquiries: desk.enquiries,
        webhooks,
        balance: { before, after: await balance(api) },
      }),
    );
    if (webhooks.some(({ problem }) => problem !== null))
      throw new DemoFailed('A webhook is not signed as it should be.');
    if (desk.enquiries.length === 0) throw new DemoFailed('The assistant did not use its tool.');
  } finally {
    desk.close();
    receiver.close();
  }
}

async function play(api: Api, { campaignId }: Stage, receiver: WebhookReceiver): Promise<Round> {
  const begin = performance.now();
  const progress = progressOn(process.stdout, process.env);
  await switchCampaign(api, campaignId, 'start');
  try {
    return await watchRound({
      api,
      campaignId,
      hasHeardOf: (callId) => receiver.hasHeardOf(callId),
      show: (leads) => progress.show(leads, (performance.now() - begin) / 1000),
      signal: AbortSignal.timeout(Math.max(0, Math.round(DEADLINE_MS - elapsed()))),
    });
  } finally {
    await switchCampaign(api, campaignId, 'stop');
  }
}

function complainIfUnfinished({ leads, calls }: Round, receiver: WebhookReceiver): void {
  const open = leads
    .filter(({ settled }) => !settled)
    .map(({ phoneNumber, state }) => `${phoneNumber} is ${state}`);
  const untold = calls.filter(({ id, status }) => status === 'completed' && !receiver.hasHeardOf(id));
  const missing = untold.map(
    ({ id, webhook_response }) =>
      `the webhook of call ${id} has not arrived (${webhook_response.error ?? 'not sent yet'})`,
  );
  const wrong = [...open, ...missing];
  if (wrong.length > 0)
    throw new DemoFailed(`Time is up: ${wrong.join(', ')}.${missing.length > 0 ? REACH : ''}`);
}

const balance = async (api: Api): Promise<number> =>
  (await api.get<{ total_balance: number }>('/user/me')).total_balance;

async function main(): Promise<void> {
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  const service = await findService(process.env);
  say(`Service: ${service.baseUrl} (${service.origin})`);
  try {
    await demonstrate(service);
  } finally {
    await service.stop();
  }
  say(`Done in ${(elapsed() / 1000).toFixed(1)} s.`);
}

endWithReader();
try {
  await main();
} catch (error) {
  const { exitCode, text } = explain(error);
  process.stderr.write(`\nThe demonstration failed. ${text}\n`);
  process.exitCode = exitCode;
}
