import { api } from '#console/api/client';
import { randomId } from '#console/api/patient-fetch';
import { upload } from '#console/api/upload';
import { DEMO_DOCUMENT, DEMO_KNOWLEDGE } from '../../../../src/cli/demo/practice.js';

/** Callees of the sandbox: the number selects what they do. As `npm run demo` calls them. */
const CALLEES = ['0020', '0023', '0038', '0003', '0004', '0005'].map((end) => `+1500555${end}`);
const ASSISTANT = 'Demonstration receptionist';
const CAMPAIGN = 'Demonstration campaign';

const assistant = {
  assistant_name: ASSISTANT,
  voice_id: 1,
  llm_model: 'gpt-6-luna',
  language: 'English',
  calls_direction: 'make',
  engine_type: 'pipeline',
  timezone: 'Etc/UTC',
  initial_message: 'Hello {name}, this is the practice of Dr. Lee. Do you have a moment?',
  system_prompt:
    'You are the friendly receptionist of a dental practice. Make an appointment with the customer.',
  post_call_schema: [
    { name: 'appointment_made', type: 'bool', description: 'Whether an appointment was made' },
    { name: 'appointment', type: 'string', description: 'Day and time of the appointment' },
    { name: 'customer_name', type: 'string', description: 'Name of the customer' },
  ],
} as const;

/** Makes what the demonstration needs, once, and starts it. */
export async function runDemo(): Promise<void> {
  const assistantId = await ensureAssistant();
  const { data: campaigns = [] } = await api.GET('/user/campaigns');
  const known = campaigns.find(({ name }) => name === CAMPAIGN);
  const campaignId = known?.id ?? (await createCampaign(assistantId));
  await api.POST('/user/campaigns/update-status', { body: { campaign_id: campaignId, action: 'start' } });
}

async function ensureAssistant(): Promise<number> {
  const { data: assistants = [] } = await api.GET('/user/assistants/outbound');
  const known = assistants.find(({ name }) => name === ASSISTANT);
  if (known) return known.id;
  const knowledgebase_id = await ensureKnowledgeBase();
  const { data } = await api.POST('/user/assistant', { body: { ...assistant, knowledgebase_id } as never });
  return idOf(data);
}

/** Its document takes a second to read, and the first call to ask for it several. */
async function ensureKnowledgeBase(): Promise<number> {
  const { data: bases } = await api.GET('/user/knowledgebases');
  const known = bases?.data.find(({ name }) => name === DEMO_KNOWLEDGE.name);
  if (known) return known.id;
  const { data } = await api.POST('/user/knowledgebases', { body: DEMO_KNOWLEDGE });
  const id = idOf(data);
  const form = new FormData();
  form.set('name', DEMO_DOCUMENT.name);
  form.set('type', DEMO_DOCUMENT.type);
  form.set('file', new Blob([DEMO_DOCUMENT.text], { type: 'text/plain' }), 'document.txt');
  await upload({
    path: `/user/knowledgebases/${id}/documents`,
    form,
    key: randomId(),
    signal: new AbortController().signal,
    onSent: () => {},
  });
  return id;
}

async function createCampaign(assistantId: number): Promise<number> {
  const body = {
    name: CAMPAIGN,
    assistant_id: assistantId,
    timezone: 'Etc/UTC',
    max_calls_in_parallel: CALLEES.length,
    max_retries: 2,
    retry_interval: 10,
  };
  const { data } = await api.POST('/user/campaigns', { body: body as never });
  const campaignId = idOf(data);
  for (const phoneNumber of CALLEES) {
    // The zone of the number could forbid calls at this hour.
    const variables = { name: 'Alex', timezone: 'Etc/UTC' };
    await api.POST('/user/lead', {
      body: { campaign_id: campaignId, phone_number: phoneNumber, variables } as never,
    });
  }
  return campaignId;
}

const idOf = (answer: { data: { id: number } } | undefined): number =>
  (answer as { data: { id: number } }).data.id;
