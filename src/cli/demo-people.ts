/** Who is there on the first start of a service that is tried out. */
export interface Person {
  name: string;
  email: string;
  /** 555-01xx is kept free for fiction; the sandbox answers at +1 500 555 only. */
  numbers: { phoneNumber: string; smsCapable: boolean; nickname: string }[];
}

export const PEOPLE: readonly Person[] = [
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

export const PLAN = 'standard';

export const BALANCE = '100';

export const CAMPAIGN_NAME = 'First campaign';

export const ASSISTANT = {
  assistant_name: 'Receptionist',
  voice_id: 1,
  language: 'English',
  llm_model: 'gpt-4.1-mini',
  calls_direction: 'make',
  engine_type: 'pipeline',
  timezone: 'America/New_York',
  initial_message: 'Hello {name}, this is the practice of Dr. Lee. Do you have a moment?',
  system_prompt:
    'You are the friendly receptionist of a dental practice. Make an appointment with the customer.',
} as const;
