import type { Callee, ErrorMoment, LineFaults, RelayErrorCode } from './callee.js';
import { backchannels } from './backchannels.js';
import { asksForPerson, colleague } from './colleague.js';
import {
  asksForGerman,
  asksForTool,
  asksForToolAndDocument,
  asksNeverToBeCalled,
  dictatesCardNumber,
  hangsUpAfterGreeting,
  interrupts,
  pressesKeys,
} from './guided.js';
import { menu } from './menu.js';
import { pausesInSentences } from './pauses.js';
import { politeHuman } from './polite-human.js';
import {
  END_BEFORE_OTHERS,
  END_NEVER,
  END_ONLY,
  ENDS_FIRST,
  MACHINE_AND_HUMAN,
  MACHINE_LATE,
  orderNamed,
  REPORTS_LATE,
  REPORTS_TWICE,
} from './report-order.js';
import { screensCalls } from './screening.js';
import { silent } from './silent.js';
import { talksWithoutEnd, tellsStory } from './talker.js';
import { asksForCallback } from './callback.js';
import { coughs, talksOver } from './unkind.js';
import { livelyCustomer } from './lively.js';
import { longVoicemail, shortVoicemail, voicemail } from './voicemail.js';

const NO_FAULTS: LineFaults = { infoFrames: 'paired', firstSocket: 'holds', sessionError: null };

const POLITE_HUMAN: Callee = {
  pickup: 'answers',
  answeredBy: 'human',
  talk: politeHuman,
  callError: null,
  messageError: null,
  delivery: 'delivered',
  answerIsLost: false,
  faults: NO_FAULTS,
  recordingFault: null,
  reportOrder: null,
};

/** The last four digits of `+1500555NNNN` select the scenario; the default is a polite human. */
const CALLEES: Record<string, Partial<Callee>> = {
  '0001': { callError: 21211, messageError: 21211 },
  '0002': { pickup: 'unroutable' },
  '0003': { pickup: 'busy' },
  '0004': { pickup: 'rings-out' },
  '0005': { answeredBy: 'machine_start', talk: voicemail },
  '0006': { delivery: 'delivered' },
  '0007': { delivery: 'undelivered' },
  '0008': { messageError: 20500 },
  '0009': { messageError: 21614 },
  '0010': { answerIsLost: true },
  '0011': { pickup: 'rings-on' },
  '0020': { talk: politeHuman },
  '0021': { talk: interrupts },
  '0022': { answeredBy: 'unknown', talk: silent },
  '0023': { talk: hangsUpAfterGreeting },
  '0024': { talk: asksNeverToBeCalled },
  '0025': { talk: asksForTool },
  '0026': { talk: pressesKeys },
  '0027': { talk: talksWithoutEnd },
  '0028': { talk: backchannels },
  '0029': { talk: asksForGerman },
  '0030': { talk: coughs },
  '0031': { faults: { ...NO_FAULTS, infoFrames: 'none' } },
  '0032': { faults: { ...NO_FAULTS, infoFrames: 'unpaired' } },
  '0033': { faults: { ...NO_FAULTS, firstSocket: 'breaks' } },
  '0034': { faults: { ...NO_FAULTS, firstSocket: 'never-opens' } },
  '0035': { talk: talksOver },
  '0036': { answeredBy: 'machine_start', talk: menu },
  '0037': { talk: pausesInSentences },
  '0038': { talk: asksForToolAndDocument },
  '0039': { talk: livelyCustomer },
  '0040': { talk: asksForPerson },
  '0041': { talk: colleague },
  '0042': { talk: dictatesCardNumber },
  '0043': { talk: tellsStory },
  '0050': { answeredBy: 'machine_start', talk: screensCalls },
  '0051': { talk: asksForCallback },
  '0052': { answeredBy: 'machine_start', talk: shortVoicemail },
  '0053': { answeredBy: 'machine_start', talk: longVoicemail },
  '0060': { talk: hangsUpAfterGreeting, recordingFault: 'slow' },
  '0061': { talk: hangsUpAfterGreeting, recordingFault: 'breaks' },
  '0062': { talk: hangsUpAfterGreeting, recordingFault: 'unsized' },
  '0063': { talk: hangsUpAfterGreeting, recordingFault: 'elsewhere' },
  '0064': { talk: hangsUpAfterGreeting, recordingFault: 'private' },
  '0065': { talk: hangsUpAfterGreeting, recordingFault: 'whole' },
  '0070': { reportOrder: REPORTS_LATE },
  '0071': { reportOrder: REPORTS_TWICE },
  '0072': { reportOrder: END_ONLY },
  '0073': { reportOrder: END_NEVER },
  '0074': { reportOrder: END_BEFORE_OTHERS },
  '0075': { reportOrder: ENDS_FIRST },
  '0076': { reportOrder: MACHINE_LATE },
  '0077': { reportOrder: MACHINE_AND_HUMAN },
};

const ERROR_CODES: Record<string, RelayErrorCode> = { '1': 64101, '2': 64102, '5': 64105 };
const ERROR_MOMENTS: Record<string, ErrorMoment> = {
  '1': 'start',
  '2': 'first-speech',
  '3': 'callee-speaks',
  '4': 'tool-runs',
  '5': 'goodbye',
};

/** Many numbers with calls that end at once, for campaigns with thousands of calls. */
const BUSY = /^[67]\d{3}$/;
/** Many numbers with calls that last until the other side ends them. */
const SILENT = /^55\d{2}$/;
/** Many numbers with lively customers, for many calls at a time. */
const LIVELY = /^54\d{2}$/;
/** Reports in a special order, see `orderNamed`. The second digit selects the callee. */
const ORDERED = /^1(\d)\d\d$/;
const ORDERED_CALLEES: Readonly<Record<string, Partial<Callee>>> = {
  '0': { talk: talksWithoutEnd },
  '1': { talk: talksWithoutEnd },
  '2': { talk: interrupts },
  '3': { talk: asksForTool },
  '4': { talk: hangsUpAfterGreeting },
  '5': { answeredBy: 'unknown', talk: silent },
  '6': { pickup: 'busy' },
  '7': { pickup: 'unroutable' },
};
const SANDBOX_NUMBER = /^\+1500555(\d{4})$/;

export function calleeOf(phoneNumber: string): Callee {
  return persona(SANDBOX_NUMBER.exec(phoneNumber)?.[1] ?? '');
}

/** Keyed by the four digits, e.g. `0025`. */
export function persona(digits: string): Callee {
  return {
    ...POLITE_HUMAN,
    ...(CALLEES[digits] ?? groupOf(digits) ?? withError(digits)),
  };
}

function groupOf(digits: string): Partial<Callee> | undefined {
  if (BUSY.test(digits)) return CALLEES['0003'];
  if (SILENT.test(digits)) return CALLEES['0022'];
  if (LIVELY.test(digits)) return CALLEES['0039'];
  const ordered = ORDERED.exec(digits)?.[1];
  if (ordered !== undefined) return { ...ORDERED_CALLEES[ordered], reportOrder: orderNamed(digits) };
  return undefined;
}

/** `08CM`: error 6410C ends the first session at moment M; `09CM`: every session. */
function withError(digits: string): Partial<Callee> {
  const [, kind, c = '', m = ''] = /^0([89])(\d)(\d)$/.exec(digits) ?? [];
  const [code, moment] = [ERROR_CODES[c], ERROR_MOMENTS[m]];
  if (code === undefined || moment === undefined) return {};
  const sessionError = { code, moment, everySession: kind === '9' };
  return {
    talk: moment === 'tool-runs' ? asksForTool : politeHuman,
    faults: { ...NO_FAULTS, sessionError },
  };
}
