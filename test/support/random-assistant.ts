/** A number from 0 to 1, without 1. */
type Random = () => number;

const oneOf = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const whole = (random: Random, min: number, max: number): number =>
  min + Math.floor(random() * (max - min + 1));
const share = (random: Random, min: number, max: number): number =>
  Math.round((min + random() * (max - min)) * 1000) / 1000;
const text = (random: Random, max: number): string =>
  Array.from({ length: whole(random, 1, max) }, () =>
    oneOf(random, ['a', 'Grüße', ' ', '"', '\\', '{name}', '{{x}}', '\n', '日本', '👋', '<b>']),
  ).join('') + '.';
const object = (random: Random): Record<string, unknown> =>
  Object.fromEntries(
    Array.from({ length: whole(random, 0, 3) }, (_, index) => [
      oneOf(random, ['customer', 'constructor', 'toString', 'a b', '', '0']) + index,
      oneOf<unknown>(random, [1, 'text', null, true, [1, { a: [] }], {}, '']),
    ]),
  );

type Values = (random: Random) => unknown;
const flag: Values = (random) => random() < 0.5;
const texts: Values = (random) => Array.from({ length: whole(random, 0, 3) }, () => text(random, 5));
const orNull =
  (value: Values): Values =>
  (random) =>
    random() < 0.3 ? null : value(random);

/** Values of the optional fields that need nothing else. */
const OPTIONAL: Record<string, Values> = {
  caller_id_lookup: (random) => oneOf(random, ['always', 'attested', 'never']),
  endpoint_type: (random) => oneOf(random, ['vad', 'ai']),
  redaction: (random) => oneOf(random, ['off', 'store']),
  endpoint_sensitivity: (random) => share(random, 0, 5),
  interrupt_sensitivity: (random) => share(random, 0, 5),
  ambient_sound: (random) => oneOf(random, ['off', 'office', 'cafe']),
  ambient_sound_volume: (random) => share(random, 0, 1),
  post_call_evaluation: flag,
  send_webhook_only_on_completed: flag,
  include_recording_in_webhook: flag,
  use_min_interrupt_words: flag,
  min_interrupt_words: (random) => whole(random, 0, 10),
  variables: object,
  post_call_schema: (random) => [{ name: 'goal_1', type: 'bool', description: text(random, 9) }],
  end_call_tool: orNull((random) => ({ description: text(random, 9) })),
  llm_temperature: (random) => share(random, 0, 1),
  voice_stability: (random) => share(random, 0, 1),
  voice_similarity: (random) => share(random, 0, 1),
  speech_speed: (random) => share(random, 0.7, 1.2),
  allow_interruptions: flag,
  filler_audios: flag,
  filler_config: orNull((random) => ({ neutral: texts(random), question: texts(random) })),
  re_engagement_interval: (random) => whole(random, 7, 600),
  reengagement_prompt: orNull((random) => text(random, 9)),
  ringing_time: (random) => whole(random, 5, 120),
  max_call_duration: (random) => whole(random, 20, 1200),
  max_silence_duration: (random) => whole(random, 1, 120),
  max_initial_silence_duration: orNull((random) => whole(random, 1, 120)),
  end_call_on_voicemail: flag,
  voice_mail_message: orNull((random) => text(random, 9)),
  transfer_numbers: (random) => [
    { name: text(random, 5), phone_number: oneOf(random, ['+14155550101', '+1234567890', '(415) 555-0102']) },
  ],
  noise_cancellation: flag,
  record_call: flag,
  who_speaks_first: (random) => oneOf(random, ['AI assistant', 'Customer']),
  conversation_inactivity_timeout: orNull((random) => whole(random, 1, 1440)),
  retention: orNull((random) => ({
    recordings_days: whole(random, 1, 3650),
    transcripts_days: whole(random, 1, 3650),
    variables_days: null,
    conversations_days: null,
    deliveries_days: whole(random, 1, 3650),
    mask_numbers: flag(random),
  })),
  inbound_webhook_url: orNull(() => 'https://example.com/inbound?a=b'),
  conversation_ended_webhook_url: orNull(() => 'https://example.com/ended'),
  tools: (random) =>
    [
      { type: 'end_call', description: text(random, 5) },
      { type: 'call_transfer', phone_number: '(415) 555-0103', description: text(random, 5) },
      { type: 'dtmf_input' },
    ].filter(() => random() < 0.5),
  widget_settings: (random) => ({
    ...object(random),
    enabled: flag(random),
    allowed_origins: ['https://Example.com:443'],
  }),
};

/** The body of POST /user/assistant with about half of the optional fields. */
export function randomAssistant(random: Random): Record<string, unknown> {
  const isWebhookActive = random() < 0.5;
  const optional = Object.entries(OPTIONAL).filter(() => random() < 0.5);
  return {
    assistant_name: text(random, 20),
    voice_id: 1,
    language: oneOf(random, ['English', 'english', 'GERMAN']),
    llm_model: oneOf(random, ['gpt-6-luna', 'GPT-5.6-Luna']),
    calls_direction: oneOf(random, ['make', 'receive']),
    engine_type: oneOf(random, ['pipeline', 'multimodal']),
    timezone: oneOf(random, ['Europe/Berlin', 'UTC']),
    initial_message: text(random, 20),
    system_prompt: text(random, 40),
    ...(random() < 0.7 && { is_webhook_active: isWebhookActive, webhook_url: 'https://example.com/a?b=c#d' }),
    ...Object.fromEntries(optional.map(([name, value]) => [name, value(random)])),
  };
}
