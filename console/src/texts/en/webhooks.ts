type Words = Record<string, string>;

export const webhooks = {
  title: 'Webhooks',
  failed: (n: number, count: string): string =>
    n === 0
      ? 'Receivers have taken every delivery, or get it now.'
      : n === 1
        ? '1 delivery was given up: its receiver did not take it.'
        : `${count} deliveries were given up: their receivers did not take them.`,
  failingNow: 'Some receivers have not taken their deliveries yet: these are sent again.',
  failing: 'waiting for a retry',
  failures: 'Last failures',
  log: 'Log of deliveries',
  empty: {
    title: 'No deliveries yet',
    text: 'After each call the service posts its result to the webhook of its assistant. Set its address on an assistant, under “After the call”, and send a test.',
    action: 'To the assistants',
  },
  columns: {
    event: 'Event',
    for: 'For',
    assistant: 'Assistant',
    status: 'Status',
    tries: 'Tries',
    created: 'Created',
    url: 'Receiver',
  },
  filters: { status: 'Status', channel: 'Channel', call: 'Call', callHint: 'Its id' },
  statuses: { pending: 'waiting', delivered: 'delivered', dead: 'given up', cancelled: 'cancelled' } as Words,
  channels: { 'post-call': 'After a call', inbound: 'Inbound calls', conversation: 'Conversations' } as Words,
  events: {
    'call.completed': 'Call completed',
    'call.updated': 'Call without an answer',
    'call.inbound': 'Inbound call',
    'conversation.ended': 'Conversation ended',
    'campaign.stopped': 'Campaign stopped',
    'model.retiring': 'Model retires',
    spend_limit_reached: 'Spend limit reached',
  } as Words,
  test: 'Test',
  call: (id: number): string => `Call ${id}`,
  assistant: (id: number): string => `Assistant ${id}`,
  tries: (n: number): string => (n === 1 ? '1 try' : `${n} tries`),
  noAnswer: 'no answer',
  emptyAnswer: 'The receiver answered without a text.',
  notSent: 'It was never sent.',

  delivery: {
    title: (id: string): string => `Delivery ${id}`,
    delivered: (tries: string): string => `The receiver took it after ${tries}.`,
    pending: (tries: number): string =>
      tries === 0
        ? 'It has not been sent yet.'
        : `${tries === 1 ? '1 try' : `${tries} tries`} failed; it is sent again`,
    dead: (tries: string): string => `Given up after ${tries}`,
    cancelled: 'Cancelled',
    facts: 'Facts',
    call: 'Call',
    assistant: 'Assistant',
    channel: 'Channel',
    url: 'Receiver',
    webhookId: 'webhook-id',
    created: 'Created',
    deliveredAt: 'Delivered',
    next: 'Next try',
    body: 'Body',
    bodyHelp: 'The very text that is signed and sent with every try.',
    attempts: 'Tries, the last one first',
    attempt: (n: number): string => `Try ${n}`,
    answerOf: (n: number): string => `Answer to try ${n}`,
    noAttempts: 'No try yet.',
  },

  replay: 'Replay',
  replayOf: (event: string, id: number): string => `Replay ${event}, delivery ${id}`,
  replayed: {
    delivered: 'The receiver has taken it.',
    pending: 'It goes out again; the receiver has not taken it yet.',
    dead: 'The receiver has refused it again',
    cancelled: 'The webhook is switched off; nothing was sent',
  },
  replayFailed: 'It was not sent again',

  replayAll: {
    action: 'Replay failed ones',
    title: 'Replay all that were given up',
    text: 'Each goes out once more with its first body and the same webhook-id, to the current URL of its webhook. Tests are left out.',
    since: 'Created since',
    zone: (zone: string): string => `Time of ${zone}`,
    submit: 'Replay them',
    done: (n: number, count: string): string =>
      n === 0
        ? 'None was given up since then.'
        : n === 1
          ? '1 delivery goes out again.'
          : `${count} deliveries go out again.`,
  },

  sendTest: {
    action: 'Send a test',
    title: 'Send a test',
    text: 'An example, marked as a test, goes to the webhook of an assistant. You see what it answers.',
    assistant: 'Assistant',
    channel: 'Channel',
    none: 'No assistant has a webhook on this channel.',
    toAssistants: 'Set one',
    submit: 'Send it',
    failed: 'The test was not sent',
  },

  secret: {
    action: 'Signing secret',
    title: 'Signing secret',
    text: 'Every delivery carries a signature that is made with this secret (Standard Webhooks). Your receiver checks it to know that a delivery is from here.',
    show: 'Show the secret',
    hide: 'Hide',
    label: 'Secret',
    copy: 'Copy the secret',
    since: 'Made',
    previous: 'The one before signs too, until',
    rotate: 'Rotate',
    question: {
      title: 'Make a new signing secret?',
      text: 'The old one signs for 24 more hours beside the new one. Give your receivers the new one until then: afterwards they refuse what only the old one would prove.',
      confirm: 'Make a new one',
    },
    rotated: 'There is a new secret. Give it to your receivers within 24 hours.',
    rotateFailed: 'There is no new secret',
  },
};
