type Words = Record<string, string>;

export const personalData = {
  title: 'Personal data',
  text: 'What the account has of one person, by their phone number: give it to them as a file, or erase it.',
  tabs: { erasures: 'Erasures', exports: 'Exports' },
  erase: {
    action: 'Erase a person’s data',
    text: 'Leads, calls with recordings and transcripts, conversations, messages, webhook deliveries and what else has the number. Running calls of the number are ended first. Times, durations and costs stay, without the number.',
    notFound:
      'It does not find the person in texts of other people’s calls, in your prompts and documents, with the receivers of your webhooks and tools, and in backups.',
    number: 'Phone number',
    numberHelp: 'A number without + is read in the country of the account.',
    keep: 'Never call it again',
    keepHelp: 'The number stays on the list “Do not call”, as a hash that nobody can read.',
    submit: 'Erase',
    question: {
      title: (number: string): string => `Erase everything of ${number}?`,
      kept: 'Its running calls end now, and it is not called again.',
      notKept:
        'Its running calls end now. When the erasure is done, campaigns and calls may reach the number again.',
      text: 'What is erased cannot be brought back. Export it first if the person wants a copy.',
      confirm: 'Erase for good',
    },
    requested: (number: string): string => `The erasure of ${number} has begun`,
    empty: {
      title: 'No erasures yet',
      text: 'When a person asks you to forget them, their number is enough to erase what the account has of them.',
    },
  },
  export: {
    action: 'Export a person’s data',
    text: 'Makes a ZIP file with all that the account has of the number: JSON and recordings. It can be downloaded for 24 hours.',
    submit: 'Export',
    requested: (number: string): string => `The export of ${number} has begun`,
    empty: {
      title: 'No exports yet',
      text: 'When a person asks what you know of them, their number is enough to make a file of it.',
    },
    downloadOf: (number: string): string => `Download the data of ${number}`,
    texts: {
      export: 'Download',
      exported: 'The archive is saved as a file; that is an entry of the audit log',
      exportFailed: 'The archive was not downloaded',
    },
  },
  columns: {
    number: 'Number',
    status: 'Status',
    found: 'Erased',
    exported: 'Found',
    created: 'Requested',
    finished: 'Finished',
    expires: 'Kept until',
  },
  statuses: { waiting: 'waiting', running: 'running', done: 'done', failed: 'failed' } as Words,
  /** What has to end before an erasure goes on. */
  waitsFor: {
    calls: 'Waits until its calls are over.',
    conversations: 'Waits until its conversations are over.',
    messages: 'Waits until its messages have a final status.',
    recordings: 'Waits until its recordings are deleted.',
    deliveries: 'Waits until running webhook deliveries are over.',
    events: 'Waits until its events are handled.',
    statistics: 'Waits until its calls are counted.',
    carrier: 'Waits until the carrier lets its record be deleted.',
  } as Words,
  waits: (what: string): string => `Waits for ${what}.`,
  kinds: {
    leads: 'Leads and contacts',
    calls: 'Calls',
    turns: 'Turns of calls',
    tool_runs: 'Uses of tools',
    recordings: 'Recordings',
    live_events: 'Live events',
    deliveries: 'Webhook deliveries',
    conversations: 'Text conversations',
    conversation_messages: 'Messages of conversations',
    messages: 'Messages (SMS)',
    questions: 'Questions without an answer',
    stored_answers: 'Stored answers to requests',
    event_errors: 'Errors of events',
    suppressions: 'Entries of “Do not call”',
  } as Words,
  /** `Calls 12, Recordings 3 and 2 more`. */
  counted: (kinds: [kind: string, n: string][], more: number): string => {
    const named = kinds.map(([kind, n]) => `${kind} ${n}`).join(', ');
    return more > 0 ? `${named} and ${more} more` : named;
  },
  nothing: 'nothing',
  job: {
    erasure: (id: number, number: string): string => `Erasure ${id} · ${number}`,
    export: (id: number, number: string): string => `Export ${id} · ${number}`,
    other: 'Job',
    status: 'Status',
    requested: 'Requested',
    finished: 'Finished',
    keep: 'Called again',
    kept: 'never: it stays on the list “Do not call”',
    notKept: 'possible',
    expires: 'Download until',
    gone: 'The archive is no longer kept. Request the export again.',
    failed: 'It failed, and the number is forgotten: request it again.',
    counts: { erasure: 'Erased', export: 'Found' },
    noneYet: 'Nothing yet.',
    none: 'The account had nothing of this number.',
  },
};
