const days = (n: number): string => (n === 1 ? '1 day' : `${n} days`);

export const retention = {
  title: 'Retention',
  text: 'How long the contents of calls and messages are kept. What is older is removed within about an hour, in every place and for good. Costs, times and statistics stay.',
  days,
  labels: {
    recordings_days: 'Recordings',
    transcripts_days: 'Transcripts',
    variables_days: 'Variables and evaluations',
    conversations_days: 'Text conversations',
    sms_days: 'Messages (SMS)',
    deliveries_days: 'Webhook deliveries',
  },
  help: {
    recordings_days: 'The audio of calls, wherever it is stored, the carrier included.',
    transcripts_days:
      'What was said in calls, what tools were asked and answered, and questions that no document answered. Times and order of the turns stay.',
    variables_days: 'What calls were given and what their evaluation found out. Statistics keep their sums.',
    conversations_days:
      'Messages, variables, evaluation and the name of the customer, of conversations that have ended.',
    sms_days: 'The text of messages. Numbers, segments and costs stay.',
    deliveries_days:
      'What was sent to your webhooks and what they answered. Never kept longer than transcripts, variables and conversations, nor than the operator of the service allows.',
  },
  range: '1 to 3,650 days. Empty: kept for good.',
  suffix: ' days',
  forGood: 'Kept for good',
  deliveriesDefault: 'As the operator says',
  mask: 'Mask numbers of customers',
  maskHelp:
    'A call without a transcript keeps the last four digits only, and is no longer found by its number. Numbers of outbound calls stay for 31 days at least.',
  masked: 'numbers masked',
  saved: 'The retention is changed',
  removals: {
    title: 'Saving removes, for good',
    kinds: {
      recordings: (n: number): string => `Recordings of calls that ended more than ${days(n)} ago`,
      transcripts: (n: number): string => `Transcripts of calls that ended more than ${days(n)} ago`,
      variables: (n: number): string =>
        `Variables and evaluations of calls that ended more than ${days(n)} ago`,
      numbers: (n: number): string =>
        `Numbers of customers, but the last four digits, of calls that ended more than ${days(n)} ago`,
      conversations: (n: number): string => `Text conversations without a message for ${days(n)}`,
      questions: (n: number): string =>
        `Questions without an answer that were asked more than ${days(n)} ago`,
      sms: (n: number): string => `The text of messages sent more than ${days(n)} ago`,
      deliveries: (n: number): string => `Webhook deliveries older than ${days(n)}`,
    },
  },
  question: {
    title: 'Remove what is older?',
    confirm: 'Save and remove',
    text: (removals: string[]): string => `${removals.join('. ')}. This cannot be undone.`,
  },
  assistants: {
    title: 'Assistants that keep less',
    text: 'Of the number of an assistant and that of the account the smaller one counts.',
    none: 'No assistant has a shorter time of its own.',
    name: 'Assistant',
    rules: 'Its own rules',
    more: (n: number): string => `${n} more of them: see the retention of each assistant.`,
  },
  ofAssistant: {
    text: 'Contents of its calls and conversations. Only a shorter time than that of the account has an effect.',
    account: 'Retention of the account',
    asAccountDays: (n: number): string => `As the account: ${days(n)}`,
    isMasked: 'The account masks them for all assistants.',
  },
};
