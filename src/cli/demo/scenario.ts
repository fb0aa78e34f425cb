import { setTimeout as sleep } from 'node:timers/promises';
import { DemoError, type DemoApi, type DataResponse, type NamedResource } from './api.js';
import { DEMO_DOCUMENT, DEMO_KNOWLEDGE } from './practice.js';

/** Callees of the sandbox: the number selects the behaviour. */
export const DEMO_CALLEES = [
  { phoneNumber: '+15005550020', who: 'polite, makes an appointment' },
  { phoneNumber: '+15005550023', who: 'hangs up after the greeting' },
  { phoneNumber: '+15005550038', who: 'asks the tool and a document' },
  { phoneNumber: '+15005550003', who: 'busy' },
  { phoneNumber: '+15005550004', who: 'does not answer' },
  { phoneNumber: '+15005550005', who: 'voicemail' },
] as const;

/** The call whose transcript is printed. */
export const TRANSCRIPT_CALLEE = '+15005550038';

const PREFIX = 'Demonstration';

/** Of a document with three sentences. */
const READING_LIMIT_MS = 20_000;
const POLL_MS = 200;

const tool = (endpoint: string) => ({
  name: 'check_appointment',
  description:
    'Checks whether an appointment is available on the day and at the time that the customer asks for.',
  endpoint,
  method: 'POST',
  timeout: 5,
  schema: [
    { name: 'day', type: 'string', description: 'The day of the appointment' },
    { name: 'time', type: 'string', description: 'The time of the appointment' },
  ],
});

export const DEMO_MODES = ['pipeline', 'multimodal'] as const;
/** How the assistant listens and speaks. */
export type DemoMode = (typeof DEMO_MODES)[number];

const VOICES: Record<DemoMode, object> = {
  pipeline: { voice_id: 1, llm_model: 'gpt-6-luna', allow_interruptions: true },
  // The callees are faster than people: without interruptions each sentence is heard to its end.
  multimodal: { voice_id: 70, llm_model: 'gpt-realtime-2.1', allow_interruptions: false },
};

const assistant = (mode: DemoMode, toolId: number, baseId: number, webhookUrl: string) => ({
  assistant_name: `${PREFIX} receptionist`,
  ...VOICES[mode],
  language: 'English',
  calls_direction: 'make',
  engine_type: mode,
  timezone: 'Etc/UTC',
  initial_message: 'Hello {name}, this is the practice of Dr. Lee. Do you have a moment?',
  system_prompt:
    'You are the friendly receptionist of a dental practice. Make an appointment with the customer, and check ' +
    'with your tool whether it is available.',
  tool_ids: [toolId],
  knowledgebase_id: baseId,
  is_webhook_active: true,
  webhook_url: webhookUrl,
  post_call_schema: [
    { name: 'appointment_made', type: 'bool', description: 'Whether an appointment was made' },
    { name: 'appointment', type: 'string', description: 'Day and time of the appointment' },
    { name: 'customer_name', type: 'string', description: 'Name of the customer' },
  ],
});

/** With two attempts a lead that was not reached is rescheduled, and the demo ends before the second attempt. */
const campaign = (assistantId: number) => ({
  name: `${PREFIX} campaign`,
  assistant_id: assistantId,
  timezone: 'Etc/UTC',
  max_calls_in_parallel: DEMO_CALLEES.length,
  max_retries: 2,
  retry_interval: 10,
});

/**
 * The sandbox's callees call themselves Alex. The time zone is set because it would otherwise follow from the number,
 * and the campaign's hours could exclude the current hour there.
 */
const lead = (campaignId: number, { phoneNumber }: (typeof DEMO_CALLEES)[number]) => ({
  campaign_id: campaignId,
  phone_number: phoneNumber,
  variables: { name: 'Alex', timezone: 'Etc/UTC' },
});

export interface DemoResources {
  toolId: number;
  baseId: number;
  assistantId: number;
  campaignId: number;
}

export interface DemoAddresses {
  tool: string;
  webhook: string;
}

/** Updates tool and assistant of an earlier demo, if there are any, keeps its base, and replaces its campaign. */
export async function setUpDemo(
  api: DemoApi,
  mode: DemoMode,
  addresses: DemoAddresses,
): Promise<DemoResources> {
  const toolId = await ensureTool(api, tool(addresses.tool));
  const baseId = await ensureKnowledgeBase(api);
  const assistantId = await ensureAssistant(api, assistant(mode, toolId, baseId, addresses.webhook));
  const wanted = campaign(assistantId);
  for (const { id, name } of await api.get<NamedResource[]>('/user/campaigns')) {
    if (name === wanted.name) await api.delete(`/user/campaigns/${id}`);
  }
  const { data } = await api.post<DataResponse<NamedResource>>('/user/campaigns', wanted);
  for (const callee of DEMO_CALLEES) await api.post('/user/lead', lead(data.id, callee));
  return { toolId, baseId, assistantId, campaignId: data.id };
}

async function ensureTool(api: DemoApi, wanted: ReturnType<typeof tool>): Promise<number> {
  const known = (await api.get<NamedResource[]>('/user/tools')).find(({ name }) => name === wanted.name);
  const { data } = known
    ? await api.put<DataResponse<NamedResource>>(`/user/tools/${known.id}`, wanted)
    : await api.post<DataResponse<NamedResource>>('/user/tools', wanted);
  return data.id;
}

interface KnowledgeBase extends NamedResource {
  status: string;
}

/** The base with its document, once it is searched. */
async function ensureKnowledgeBase(api: DemoApi): Promise<number> {
  const path = '/user/knowledgebases';
  const { data: bases } = await api.get<DataResponse<KnowledgeBase[]>>(path);
  const base =
    bases.find(({ name }) => name === DEMO_KNOWLEDGE.name) ??
    (await api.post<DataResponse<KnowledgeBase>>(path, DEMO_KNOWLEDGE)).data;
  if (base.status === 'empty' || base.status === 'failed') {
    const { text, ...fields } = DEMO_DOCUMENT;
    await api.upload(`${path}/${base.id}/documents`, fields, text);
  }
  for (let waited = 0; waited < READING_LIMIT_MS; waited += POLL_MS) {
    const { data } = await api.get<DataResponse<KnowledgeBase>>(`${path}/${base.id}`);
    if (data.status === 'active') return base.id;
    await sleep(POLL_MS);
  }
  throw new DemoError('The document of the demo was not read: see its knowledge base in the console.');
}

async function ensureAssistant(api: DemoApi, wanted: ReturnType<typeof assistant>): Promise<number> {
  const outbound = await api.get<NamedResource[]>('/user/assistants/outbound');
  const known = outbound.find(({ name }) => name === wanted.assistant_name);
  const { data } = known
    ? await api.put<DataResponse<NamedResource>>(`/user/assistant/${known.id}`, wanted)
    : await api.post<DataResponse<NamedResource>>('/user/assistant', wanted);
  return data.id;
}

export async function setCampaignAction(
  api: DemoApi,
  campaignId: number,
  action: 'start' | 'stop',
): Promise<void> {
  await api.post('/user/campaigns/update-status', { campaign_id: campaignId, action });
}
