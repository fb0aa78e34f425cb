import { assistantBody } from '../factories/assistant.js';
import { RESOURCE_TESTS } from '../resources/index.js';
import type { AccountResources, Route } from './route.types.ts';

const SHARED = 'The given data was invalid.' as const;
const OWN = 'Validation failed' as const;
const PAGE = 'https://shop.example';
let sequence = 0;
/** A number of its own for every body, so that no rule about duplicates gets into the way. */
const nextNumber = (): string => `+1415555${String(sequence++ % 10_000).padStart(4, '0')}`;
const later = { missing: 'Webhook delivery not found' };

const tool = () => ({
  name: 'check_order',
  description: 'Looks up an order.',
  endpoint: 'https://example.com/orders',
  method: 'GET',
});

const assistant = (resources: AccountResources) =>
  assistantBody({
    phone_number_id: resources.account.phoneNumber.id,
    tool_ids: [resources.ids.tool],
    widget_settings: { enabled: true, allowed_origins: [PAGE] },
  });

const campaign = (resources: AccountResources) => ({ name: 'Spring', assistant_id: resources.ids.assistant });
const lead = (resources: AccountResources) => ({
  phone_number: nextNumber(),
  campaign_id: resources.ids.campaign,
});
const byAssistant = (resources: AccountResources) => ({ assistant_id: resources.ids.assistant });
const withWebhook = (resources: AccountResources) => ({
  ...byAssistant(resources),
  webhook_url: 'https://example.com/hook',
});
/** Of one customer, so that few conversations begin. */
const reply = ({ uuids }: AccountResources) => ({
  assistant_id: uuids.assistant,
  customer_identifier: 'crm-4711',
  message: 'Hello',
});
const recipient = { sender_id: 1, recipient_phone: '+15005550020' };
const switches = { resource: null, missing: 'Assistant not found', invalid: SHARED, references: {} };

/** Every operation of the API by its id: the matrix runs over these, and a route that is not here fails it. */
export const ROUTES: Record<string, Route> = {
  getMe: { resource: null },
  listAuditLog: { resource: null },
  exportAuditLog: { resource: null },
  getConsole: { resource: null },
  getRetention: { resource: null },
  updateRetention: { resource: null, body: () => ({ recordings_days: 30 }), invalid: SHARED },
  getSpendLimit: { resource: null },
  updateSpendLimit: { resource: null, body: () => ({ spend_limit_per_hour: 1000 }), invalid: SHARED },
  listLedger: { resource: null },
  getDailyBalances: { resource: null },
  listTools: { resource: null },
  createTool: { resource: null, body: tool, invalid: OWN },
  getTool: { resource: 'tool', missing: 'Tool not found' },
  updateTool: { resource: 'tool', missing: 'Tool not found', body: tool, invalid: OWN },
  testTool: {
    resource: 'tool',
    missing: 'Tool not found',
    body: () => ({ arguments: { order: '4711' } }),
    invalid: OWN,
  },
  deleteTool: { resource: 'tool', missing: 'Tool not found' },
  listAssistants: { resource: null },
  pageAssistants: { resource: null },
  listOutboundAssistants: { resource: null },
  listModels: { resource: null },
  listLanguages: { resource: null },
  listVoices: { resource: null },
  listSynthesizerProviders: { resource: null },
  listTranscriberProviders: { resource: null },
  listAssistantPhoneNumbers: { resource: null },
  pageAssistantsAlias: { resource: null },
  listOutboundAssistantsAlias: { resource: null },
  listModelsAlias: { resource: null },
  listLanguagesAlias: { resource: null },
  listVoicesAlias: { resource: null },
  listSynthesizerProvidersAlias: { resource: null },
  listTranscriberProvidersAlias: { resource: null },
  listAssistantPhoneNumbersAlias: { resource: null },
  createAssistant: {
    resource: null,
    body: assistant,
    invalid: OWN,
    references: {
      tool_ids: 'tool',
      folder_id: 'folder',
      label_ids: 'label',
      knowledgebase_id: 'knowledgebase',
    },
  },
  getAssistant: { resource: 'assistant', missing: 'Assistant not found' },
  updateAssistant: {
    resource: 'assistant',
    missing: 'Assistant not found',
    body: assistant,
    invalid: OWN,
    references: {
      tool_ids: 'tool',
      folder_id: 'folder',
      label_ids: 'label',
      knowledgebase_id: 'knowledgebase',
    },
  },
  deleteAssistant: { resource: 'assistant', missing: 'Assistant not found' },
  enableWebhook: { ...switches, body: withWebhook },
  disableWebhook: { ...switches, body: byAssistant },
  enableInboundWebhook: { ...switches, body: withWebhook },
  disableInboundWebhook: { ...switches, body: byAssistant },
  enableConversationEndedWebhook: { ...switches, body: withWebhook },
  disableConversationEndedWebhook: { ...switches, body: byAssistant },
  testWebhook: { ...switches, body: byAssistant },
  listPhoneNumbers: { resource: null },
  listSmsPhoneNumbers: { resource: null },
  searchPhoneNumbers: { resource: null },
  purchasePhoneNumber: {
    resource: null,
    // The carrier does not sell it.
    body: () => ({ phone_number: '+14150000000' }),
    invalid: SHARED,
  },
  updatePhoneNumber: {
    resource: 'phone number',
    missing: 'Phone number not found',
    body: () => ({ nickname: 'Reception' }),
    invalid: SHARED,
  },
  releasePhoneNumber: { resource: 'phone number', missing: 'Phone number not found' },
  listCampaigns: { resource: null },
  createCampaign: {
    resource: null,
    body: campaign,
    invalid: SHARED,
    references: { assistant_id: 'assistant' },
  },
  createCampaignAlias: {
    resource: null,
    body: campaign,
    invalid: SHARED,
    references: { assistant_id: 'assistant' },
  },
  getCampaign: { resource: 'campaign', missing: 'Campaign not found.' },
  updateCampaign: {
    resource: 'campaign',
    missing: 'Campaign not found.',
    body: campaign,
    invalid: SHARED,
    references: { assistant_id: 'assistant' },
  },
  deleteCampaign: { resource: 'campaign', missing: 'Campaign not found.' },
  exportCampaign: { resource: 'campaign', missing: 'Campaign not found.' },
  watchCampaign: { resource: 'campaign', missing: 'Campaign not found.' },
  previewCampaign: { resource: 'campaign', missing: 'Campaign not found.' },
  deleteCampaignAlias: { resource: 'campaign', missing: 'Campaign not found.' },
  updateCampaignStatus: {
    resource: null,
    missing: 'Campaign not found.',
    body: (resources) => ({ campaign_id: resources.ids.campaign, action: 'stop' }),
    invalid: SHARED,
  },
  listLeads: { resource: null },
  createLead: { resource: null, body: lead, invalid: SHARED, references: { campaign_id: 'campaign' } },
  createLeadAlias: { resource: null, body: lead, invalid: SHARED, references: { campaign_id: 'campaign' } },
  importLeads: { resource: null },
  getLead: { resource: 'lead', missing: 'Lead not found' },
  updateLead: {
    resource: 'lead',
    missing: 'Lead not found',
    body: lead,
    invalid: SHARED,
    references: { campaign_id: 'campaign' },
  },
  updateLeadAlias: {
    resource: 'lead',
    missing: 'Lead not found',
    body: lead,
    invalid: SHARED,
    references: { campaign_id: 'campaign' },
  },
  scheduleLead: {
    resource: 'lead',
    missing: 'Lead not found',
    body: () => ({
      scheduled_at: new Date(Date.now() + 86_400_000).toISOString().slice(0, 19).replace('T', ' '),
    }),
    invalid: SHARED,
  },
  deleteLead: { resource: 'lead', missing: 'Lead not found' },
  listCalls: { resource: null },
  getCallAnalytics: { resource: null },
  getAnswerRate: { resource: null },
  exportCalls: { resource: null },
  getCall: { resource: 'call', missing: 'Call not found' },
  listTurns: { resource: 'call', missing: 'Call not found' },
  watchCalls: { resource: null },
  watchCall: { resource: 'call', missing: 'Call not found' },
  getRecording: { resource: 'call', missing: 'Call not found' },
  endCall: { resource: 'call', missing: 'Call not found' },
  deleteCall: { resource: 'call', missing: 'Call not found' },
  makeCall: {
    resource: null,
    missing: 'Assistant not found',
    body: (resources) => ({ assistant_id: resources.ids.assistant, phone_number: '+15005550003' }),
    invalid: SHARED,
  },
  listSms: { resource: null },
  sendSms: {
    resource: null,
    body: (resources) => ({ from: resources.account.phoneNumber.id, to: '+15005550006', body: 'Hello' }),
    invalid: SHARED,
  },
  getSmsPrice: { resource: null },
  getSms: { resource: 'sms', missing: 'SMS not found' },
  listConversations: { resource: null },
  getListedConversation: { resource: null },
  beginConversation: {
    resource: null,
    isPublic: true,
    body: ({ uuids }) => ({ assistant_id: uuids.assistant, type: 'test' }),
    invalid: SHARED,
  },
  getConversation: { resource: null, isPublic: true },
  enableAi: { resource: null },
  disableAi: { resource: null },
  endConversation: { resource: null },
  generateReply: { resource: null, body: reply, invalid: SHARED },
  generateReplyAlias: { resource: null, body: reply, invalid: SHARED },
  listWhatsappSenders: { resource: null },
  listWhatsappTemplates: { resource: null },
  getWhatsappSession: { resource: null },
  sendWhatsappTemplate: { resource: null, body: () => ({ ...recipient, template_id: 1 }), invalid: SHARED },
  sendWhatsappMessage: { resource: null, body: () => ({ ...recipient, message: 'Hello' }), invalid: SHARED },
  sendMessage: { resource: null, isPublic: true, body: () => ({ message: 'Hello' }), invalid: SHARED },
  beginUserWebCall: {
    resource: null,
    missing: 'Assistant not found',
    body: ({ uuids }) => ({ assistant_id: uuids.assistant }),
    invalid: SHARED,
  },
  beginWebCall: {
    resource: null,
    isPublic: true,
    origin: PAGE,
    body: ({ uuids }) => ({ assistant_id: uuids.assistant }),
    invalid: SHARED,
  },
  getWidget: { resource: null, isPublic: true },
  getWebhookSecret: { resource: null },
  rotateWebhookSecret: { resource: null },
  listWebhookDeliveries: { resource: null },
  getWebhookDelivery: { resource: 'delivery', ...later },
  replayWebhookDelivery: { resource: 'delivery', ...later },
  replayWebhookDeliveries: {
    resource: null,
    body: () => ({ since: '2026-01-01 00:00:00', status: 'dead' }),
    invalid: SHARED,
  },
  ...Object.fromEntries(Object.values(RESOURCE_TESTS).flatMap(({ routes }) => Object.entries(routes))),
};
