/** What ended an answered call, for a sentence that goes on with the duration. */
const ENDINGS: Record<string, string> = {
  customer_hangup: 'The customer hung up',
  goodbye: 'The assistant said goodbye',
  ended: 'The call ended',
  end_call: 'The assistant ended the call',
  stop_calling: 'The customer asked not to be called again; the assistant ended the call',
  voicemail: 'A machine answered; the call ended',
  silence: 'Nobody spoke any more; the call ended',
  max_duration: 'The limit of the call’s length ended it',
  model_error: 'The language model did not answer; the call ended',
  line_lost: 'The line to the browser was lost',
  connection_lost: 'The connection to the carrier was lost',
  transferred: 'The call was handed over to a person and ended',
  ended_by_user: 'It was hung up here',
  balance: 'The balance was used up; the call ended',
};

/** Why nobody was reached. */
const UNREACHED: Record<string, string> = {
  not_connected: 'The browser did not open its line.',
  not_placed: 'The call was not placed.',
  plan_limit: 'All parallel calls of the plan were in use.',
  balance: 'The balance did not pay for a minute.',
  invalid_number: 'The number is not valid.',
  carrier_rejected: 'The carrier refused the call.',
};

export const call = {
  title: (number: string): string => `Call with ${number}`,
  hangUp: 'Hang up',
  hangUpQuestion: {
    title: 'Hang up this call?',
    text: 'The person on the line is cut off at once.',
    confirm: 'Hang up',
  },
  hungUp: 'The call is being hung up',
  hangUpFailed: 'The call was not hung up',
  delete: 'Delete',
  deleteQuestion: {
    title: 'Delete this call?',
    text: 'Its transcript and its recording are deleted for good. What it cost stays in the ledger.',
    confirm: 'Delete',
  },
  deleted: 'The call was deleted',
  deleteFailed: 'The call was not deleted',
  back: 'To the calls',
  more: 'More',
  /** The call in a sentence or three. */
  sentence: {
    outbound: (assistant: string, who: string, campaign: string | undefined): string =>
      `${assistant} called ${who}${campaign ? ` for “${campaign}”` : ''}.`,
    calling: (assistant: string, who: string, campaign: string | undefined): string =>
      `${assistant} calls ${who}${campaign ? ` for “${campaign}”` : ''}.`,
    inbound: (assistant: string, who: string): string => `${who} called ${assistant}.`,
    web: (assistant: string): string => `Somebody talked to ${assistant} in a browser.`,
    answeredBy: { human: 'A person answered.', machine: 'A machine answered.', unknown: '' } as Record<
      string,
      string
    >,
    runs: {
      initiated: 'It is being dialled.',
      ringing: 'It rings.',
      'in-progress': 'They talk now.',
    } as Record<string, string>,
    unreached: {
      busy: 'The line was busy.',
      'no-answer': 'Nobody answered.',
      failed: 'The call failed.',
    } as Record<string, string>,
    whyUnreached: (reason: string | null): string =>
      reason === null ? '' : (UNREACHED[reason] ?? `(${reason})`),
    ended: (reason: string, duration: string): string =>
      `${ENDINGS[reason] ?? `It ended (${reason})`} after ${duration}.`,
    endedBy: { customer: 'customer_hangup', assistant: 'end_call', system: 'ended' } as Record<
      string,
      string
    >,
  },
  conversation: 'Conversation',
  noWords: 'No words yet.',
  nothingSaid: 'Nothing was said.',
  roles: { assistant: 'AI', customer: 'Customer', tool: 'Tool' } as Record<string, string>,
  interrupted: 'interrupted here',
  times: (heard: string, model: string, voice: string): string =>
    `answered after ${heard} · model ${model} · voice ${voice}`,
  tokens: (prompt: number, cached: number, completion: number): string =>
    `${prompt} tokens read${cached > 0 ? `, ${cached} of them cached` : ''}, ${completion} written`,
  tool: {
    ok: 'done',
    failed: 'failed',
    arguments: 'Arguments',
    details: 'Details',
    names: {
      end_call: 'ends the call',
      transfer_call: 'hands the call over',
      send_digits: 'presses keys',
      switch_language: 'changes the language',
      schedule_callback: 'schedules a callback',
      stop_calling: 'puts the number on the do-not-call list',
      voicemail: 'leaves a message',
      call_screening: 'answers a call screening',
    } as Record<string, string>,
  },
  recording: 'Recording',
  play: 'Play',
  pause: 'Pause',
  hear: (time: string): string => `Hear it from ${time} on`,
  recordingFailed: 'The recording cannot be played',
  sections: {
    evaluation: 'Evaluation',
    costs: 'Costs',
    timing: 'Response times',
    webhooks: 'Webhooks',
    transfers: 'Transfers',
    notApplied: 'Settings not applied',
    failures: 'Speech providers that failed',
    variables: 'Variables',
    details: 'Details',
  },
  noEvaluation: 'None: the assistant has no fields, or nobody answered.',
  evaluationOpen: 'Follows when the call has ended.',
  yes: 'yes',
  no: 'no',
  carrierCost: 'Carrier',
  ownCost: 'Service',
  totalCost: 'Total',
  costOpen: 'Known when the call has ended.',
  median: 'Median',
  worst: 'Longest',
  answers: (n: number): string => (n === 1 ? 'of 1 answer' : `of ${n} answers`),
  noTimes: 'No answers to measure.',
  noWebhooks: 'None: the assistant sends none, or the call runs.',
  transferStatuses: {
    dialing: 'dialling',
    answered: 'answered',
    busy: 'busy',
    'no-answer': 'no answer',
    failed: 'failed',
    canceled: 'customer hung up',
  } as Record<string, string>,
  why: {
    voice_id: 'The voice cannot speak the language, or not on this line: the default voice spoke.',
    voice_stability: 'Only voices of ElevenLabs know it.',
    voice_similarity: 'Only voices of ElevenLabs know it.',
    speech_speed: 'Only voices of ElevenLabs know it.',
    endpoint_type: 'The recogniser does not judge this language by meaning: silence ended the turns.',
    ambient_sound: 'The carrier’s relay plays no sounds in the background.',
    ambient_sound_volume: 'The carrier’s relay plays no sounds in the background.',
    engine_type: 'The realtime model was not used, or failed: the call was held in pipeline mode.',
    synthesizer_provider_id: 'The speech provider was not used: the carrier’s voices spoke.',
    transcriber_provider_id: 'The speech provider was not used: the carrier’s recogniser listened.',
  } as Record<string, string>,
  whyUnknown: 'The carrier cannot apply it to this call.',
  detail: {
    id: 'Call',
    from: 'Assistant’s number',
    type: 'Direction',
    answeredBy: 'Answered by',
    reason: 'Reason of the end',
    started: 'Started',
  },
};
