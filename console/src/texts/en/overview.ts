export const overview = {
  title: 'Overview',
  attention: 'Needs attention',
  nothing: 'Nothing needs your attention.',
  tiles: {
    now: 'Calls now',
    nowNote: (slots: number): string => `of ${slots} at once`,
    today: 'Calls today',
    /** @param running calls that are not counted yet */
    minutes: (duration: string, running: number): string =>
      `${duration} talked${running === 0 ? '' : running === 1 ? ', 1 more runs' : `, ${running} more run`}`,
    answered: 'Answered',
    answeredNote: (n: number): string => (n === 1 ? '1 call' : `${n.toLocaleString('en')} calls`),
    response: 'Response time',
    responseNote: (p95: string): string => `median; p95 ${p95}`,
    spent: 'Spent today',
    spentNote: (amount: string): string => `${amount} a call`,
    balance: 'Balance',
    balanceNote: (amount: string): string => `${amount} free to spend`,
  },
  hours: {
    title: 'When do the calls run today?',
    calls: 'Calls',
    answered: 'Answered',
    hour: 'Hour',
    none: 'No calls today.',
    link: 'Calls of today',
  },
  outcomes: {
    title: 'How do the calls of today end?',
    outcome: 'Outcome',
    share: 'Share',
    names: {
      none: 'not reached: busy, no answer or failed',
      customer_hangup: 'the customer hung up',
      goodbye: 'the assistant said goodbye',
      end_call: 'the assistant ended the call',
      stop_calling: 'asked not to be called again',
      voicemail: 'voicemail',
      silence: 'nobody spoke any more',
      max_duration: 'the limit of the length was reached',
      model_error: 'the language model failed',
      line_lost: 'the line to the browser was lost',
      connection_lost: 'the connection to the carrier was lost',
      not_connected: 'the browser opened no line',
      not_placed: 'not placed',
      transferred: 'handed over to a person',
      ended_by_user: 'hung up here',
      balance: 'the balance was used up',
      plan_limit: 'all parallel calls were in use',
      invalid_number: 'the number is not valid',
      carrier_rejected: 'the carrier refused the call',
      other: 'other',
    } as Record<string, string>,
  },
  campaigns: {
    title: 'Running campaigns',
    none: 'No campaign runs.',
    start: 'Start one',
    create: 'Make one',
    all: 'All campaigns',
    progress: (done: string, all: string): string => `${done} of ${all} leads done`,
    end: 'ends',
    bar: (name: string): string => `Progress of ${name}`,
    parts: {
      completed: 'completed',
      'reached-max-retries': 'given up',
      blacklisted: 'not to be called',
      processing: 'in call',
    } as Record<string, string>,
  },
  latest: { title: 'Latest calls', all: 'All calls' },
  warnings: {
    restored:
      'The service was restored from a backup: it only shows data, and calls nobody, until its operator releases it.',
    noBalance: 'The balance is used up: no calls are placed until it is topped up.',
    lowBalance: (minutes: string): string => `The balance pays for about ${minutes} more minutes of calls.`,
    ledger: 'Ledger',
    paused: (name: string): string =>
      `“${name}” waits: the carrier takes no calls for now. It goes on by itself.`,
    stopped: {
      balance: (name: string): string => `“${name}” stopped by itself: the balance was used up.`,
      assistant_inactive: (name: string): string =>
        `“${name}” stopped by itself: its assistant is switched off.`,
      assistant_deleted: (name: string): string => `“${name}” stopped by itself: its assistant was deleted.`,
      no_phone_number: (name: string): string =>
        `“${name}” stopped by itself: it has no number to call from.`,
    } as Record<string, (name: string) => string>,
    campaign: 'Open it',
    webhooks: (n: string): string => `${n} webhooks of the last day could not be delivered.`,
    webhooksFail: 'A receiver does not take its webhooks. They are sent again for some time.',
    webhook: 'A webhook of the last day could not be delivered.',
    toWebhooks: 'See and replay',
    models: {
      missing: (name) => `The endpoint of the model “${name}” does not offer it.`,
      retiring: (name, day, successor) =>
        `The model “${name}” ends on ${day}${successor === null ? '' : `; from then on “${successor}” is used`}.`,
      retired: (name, day, successor) =>
        `The model “${name}” ended on ${day}${successor === null ? '' : `; “${successor}” is used`}.`,
    } as Record<
      'missing' | 'retiring' | 'retired',
      (name: string, day: string, successor: string | null) => string
    >,
    assistants: (names: string[]): string =>
      names.length === 1 ? `Used by “${names[0]}”` : `Used by “${names[0]}” and ${names.length - 1} more`,
  },
  welcome: {
    title: 'Nobody has been called yet',
    text: 'This service runs assistants that call people and answer calls: they listen, speak, use your tools, and report what came of it. Here you see each call, each campaign and each cent.',
    steps: [
      {
        title: 'An assistant',
        text: 'knows what to say, in which voice, and which tools it may use.',
        to: '/assistants/new',
        link: 'Make an assistant',
      },
      {
        title: 'A campaign',
        text: 'lets it call people in the hours that you allow, and again when nobody answers.',
        to: '/campaigns/new',
        link: 'Make a campaign',
      },
      {
        title: 'Leads',
        text: 'are these people: import a CSV file, or add them one by one. Then start the campaign.',
        to: '/leads/import',
        link: 'Import leads',
      },
    ],
    demo: 'Run a demonstration',
    demoText:
      'Makes an assistant with a document, and a campaign with six leads, and calls them: simulated people of the sandbox. It takes about a minute, and no real call is made.',
    demoFailed: 'The demonstration did not start',
  },
};
