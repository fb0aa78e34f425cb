/** What the demonstration plays: the sandbox's people, by their number. */
export const CALLEES = [
  { phoneNumber: '+15005550020', who: 'polite, makes an appointment' },
  { phoneNumber: '+15005550023', who: 'hangs up after the greeting' },
  { phoneNumber: '+15005550025', who: 'asks what only the tool knows' },
  { phoneNumber: '+15005550003', who: 'busy' },
  { phoneNumber: '+15005550004', who: 'does not answer' },
  { phoneNumber: '+15005550005', who: 'voicemail' },
] as const;

/** Whose conversation is shown in full. */
export const SHOWN = '+15005550025';

const NAMED = 'Demonstration';

export const tool = (endpoint: string) => ({
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

export const assistant = (toolId: number, webhookUrl: string) => ({
  assistant_name: `${NAMED} receptionist`,
  voice_id: 1,
  language: 'English',
  llm_model: 'gpt-4.1-mini',
  calls_direction: 'make',
  engine_type: 'pipeline',
  timezone: 'Etc/UTC',
  initial_message: 'Hello {name}, this is the practice of Dr. Lee. Do you have a moment?',
  system_prompt:
    'You are the friendly receptionist of a dental practice. Make an appointment with the customer, and check ' +
    'with your tool whether it is available.',
  tool_ids: [toolId],
  is_webhook_active: true,
  webhook_url: webhookUrl,
  post_call_schema: [
    { name: 'appointment_made', type: 'bool', description: 'Whether an appointment was made' },
    { name: 'appointment', type: 'string', description: 'Day and time of the appointment' },
    { name: 'customer_name', type: 'string', description: 'Name of the customer' },
  ],
});

/** Two attempts, so that who was not reached is put off instead of given up: the round ends, the campaign does not. */
export const campaign = (assistantId: number) => ({
  name: `${NAMED} campaign`,
  assistant_id: assistantId,
  timezone: 'Etc/UTC',
  max_calls_in_parallel: CALLEES.length,
  max_retries: 2,
  retry_interval: 10,
});

/** All six are Alex, as the sandbox's people call themselves. Without a zone of their own the leads' country would decide whether they may be called at this hour. */
export const lead = (campaignId: number, { phoneNumber }: (typeof CALLEES)[number]) => ({
  campaign_id: campaignId,
  phone_number: phoneNumber,
  variables: { name: 'Alex', timezone: 'Etc/UTC' },
});
