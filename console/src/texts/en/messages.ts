export const messages = {
  title: 'Messages',
  send: 'Send a message',
  empty: {
    title: 'No messages yet',
    text: 'SMS that you, your programs and your assistants send appear here with what became of them.',
  },
  columns: { to: 'To', body: 'Text', status: 'Status', segments: 'Segments', cost: 'Cost', created: 'Sent' },
  filters: { status: 'Status', phone: 'To' },
  statuses: { pending: 'on its way', sent: 'sent', delivered: 'delivered', failed: 'failed' } as Record<
    string,
    string
  >,
  form: {
    from: 'From',
    to: 'To',
    toHelp: 'With its country code.',
    body: 'Text',
    noNumbers: 'You have no number that can send SMS.',
    buy: 'Buy one',
    segments: (n: number): string => (n === 1 ? '1 segment' : `${n} segments`),
    room: (left: number): string => `${left} more characters fit`,
    full: 'nothing more fits',
    foreign: 'An emoji or a letter outside of GSM-7 makes segments shorter: 70 characters instead of 160.',
    price: (segments: number, price: string, total: string): string => `${segments} × ${price} = ${total}`,
    submit: 'Send',
    sent: 'The message is sent',
    pending: 'The provider has not answered yet; the list shows what becomes of it.',
  },
};
