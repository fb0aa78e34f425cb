/** Request bodies; the number makes each one unique. */
export const toolBody = (number: number) => ({
  name: `check_order_${'abcdefghijklmnopqrstuvwxyz'[number % 26]}`,
  description: 'Looks up the status of an order when the customer asks where it is.',
  endpoint: 'https://example.com/orders/{order_number}',
  method: 'GET',
  timeout: 5,
  headers: [{ name: 'X-Api-Key', value: `key-${number}` }],
  schema: [
    { name: 'order_number', type: 'string', description: 'The number of the order the customer asks about.' },
    { name: 'urgent', type: 'boolean', description: 'Whether the customer is in a hurry.' },
  ],
});

export const assistantBody = (number: number) => ({
  assistant_name: `Front desk ${number}`,
  voice_id: 1,
  language: 'English',
  llm_model: 'gpt-6-luna',
  calls_direction: 'make',
  engine_type: 'pipeline',
  timezone: 'Europe/Berlin',
  initial_message: 'Hello {customer_name}, this is the bicycle shop. Do you have a minute?',
  system_prompt: 'You are the friendly voice of a bicycle shop. '.repeat(20),
  endpoint_type: 'ai',
  endpoint_sensitivity: 1.5,
  interrupt_sensitivity: 2,
  post_call_evaluation: true,
  is_webhook_active: true,
  webhook_url: 'https://example.com/calls',
  variables: { shop: 'Main Street', opening_hours: '9 to 6' },
  post_call_schema: [
    { name: 'interested', type: 'bool', description: 'Whether the customer wants an offer.' },
    { name: 'appointment', type: 'string', description: 'The date of the appointment.' },
    { name: 'budget', type: 'number', description: 'What the customer wants to spend.' },
  ],
  end_call_tool: { description: 'When the customer says goodbye.' },
  llm_temperature: 0.3,
  voice_stability: 0.6,
  voice_similarity: 0.8,
  speech_speed: 1.1,
  allow_interruptions: true,
  filler_audios: true,
  re_engagement_interval: 20,
  max_call_duration: 300,
  max_silence_duration: 30,
  record_call: true,
  who_speaks_first: 'AI assistant',
});

export const leadBody = (campaignId: number, number: number) => ({
  campaign_id: campaignId,
  phone_number: numberOf(number * 2),
  variables: { customer_name: 'Ada Lovelace', email: 'ada@example.com', order: number },
  secondary_contacts: [
    { phone_number: numberOf(number * 2 + 1), variables: { customer_name: 'Grace Hopper' } },
  ],
});

/** Unique for numbers below ten million. */
const numberOf = (number: number): string => `+1212${String(number).padStart(7, '0')}`;
