export const balance = {
  title: 'Balance',
  tiles: {
    balance: 'Balance',
    available: 'May be spent now',
    availableNote: 'without what running calls hold',
    spent: 'Spent in these movements',
  },
  plot: {
    title: (n: number): string => `How did the balance change over the last ${n} movements?`,
    table: 'The same as a table',
    from: 'Oldest first',
    axis: 'Balance',
  },
  ledger: 'Every movement',
  empty: {
    title: 'No movement yet',
    text: 'Top-ups, calls, messages and numbers appear here, each with the balance after it. An operator tops the balance up with the command line.',
  },
  columns: { kind: 'For', reference: 'Of', amount: 'Amount', balance: 'Balance after', created: 'When' },
  kinds: {
    'top-up': 'Top-up',
    call: 'Call',
    'call-carrier': 'Carrier of a call',
    sms: 'Message',
    'sms-refund': 'Message, paid back',
    'sms-recharge': 'Message, charged again',
    'phone-number': 'Number',
    'phone-number-refund': 'Number, paid back',
    chat: 'Conversation',
    'chat-refund': 'Conversation, paid back',
  } as Record<string, string>,
  call: (id: string): string => `Call ${id}`,
};
