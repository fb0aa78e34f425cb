import type { Api, Data, Named } from './api.js';
import { assistant, CALLEES, campaign, lead, tool } from './script.js';

export interface Stage {
  toolId: number;
  assistantId: number;
  campaignId: number;
}

export interface Addresses {
  tool: string;
  webhook: string;
}

/** Tool and assistant are those of the former demonstration, if there was one, and its campaign gives way. */
export async function setUp(api: Api, addresses: Addresses): Promise<Stage> {
  const toolId = await ensureTool(api, tool(addresses.tool));
  const assistantId = await ensureAssistant(api, assistant(toolId, addresses.webhook));
  const wanted = campaign(assistantId);
  for (const { id, name } of await api.get<Named[]>('/user/campaigns')) {
    if (name === wanted.name) await api.delete(`/user/campaigns/${id}`);
  }
  const { data } = await api.post<Data<Named>>('/user/campaigns', wanted);
  for (const callee of CALLEES) await api.post('/user/lead', lead(data.id, callee));
  return { toolId, assistantId, campaignId: data.id };
}

async function ensureTool(api: Api, wanted: ReturnType<typeof tool>): Promise<number> {
  const known = (await api.get<Named[]>('/user/tools')).find(({ name }) => name === wanted.name);
  const { data } = known
    ? await api.put<Data<Named>>(`/user/tools/${known.id}`, wanted)
    : await api.post<Data<Named>>('/user/tools', wanted);
  return data.id;
}

async function ensureAssistant(api: Api, wanted: ReturnType<typeof assistant>): Promise<number> {
  const outbound = await api.get<Named[]>('/user/assistants/outbound');
  const known = outbound.find(({ name }) => name === wanted.assistant_name);
  const { data } = known
    ? await api.put<Data<Named>>(`/user/assistant/${known.id}`, wanted)
    : await api.post<Data<Named>>('/user/assistant', wanted);
  return data.id;
}

export async function switchCampaign(api: Api, campaignId: number, action: 'start' | 'stop'): Promise<void> {
  await api.post('/user/campaigns/update-status', { campaign_id: campaignId, action });
}
