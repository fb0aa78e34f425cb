import type { Callee } from './callee.js';
import { backchannels } from './backchannels.js';
import { asksForTool, asksNeverToBeCalled, hangsUpAfterGreeting, interrupts, pressesKeys } from './guided.js';
import { politeHuman } from './polite-human.js';
import { silent } from './silent.js';
import { talksWithoutEnd } from './talker.js';
import { voicemail } from './voicemail.js';

const POLITE_HUMAN: Callee = {
  pickup: 'answers',
  answeredBy: 'human',
  talk: politeHuman,
  callError: null,
  messageError: null,
  delivery: 'delivered',
  answerIsLost: false,
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
  '0020': { talk: politeHuman },
  '0021': { talk: interrupts },
  '0022': { answeredBy: 'unknown', talk: silent },
  '0023': { talk: hangsUpAfterGreeting },
  '0024': { talk: asksNeverToBeCalled },
  '0025': { talk: asksForTool },
  '0026': { talk: pressesKeys },
  '0027': { talk: talksWithoutEnd },
  '0028': { talk: backchannels },
  // Not in the published table: the carrier's response gets lost.
  '0030': { answerIsLost: true },
};

const SANDBOX_NUMBER = /^\+1500555(\d{4})$/;

export function calleeOf(phoneNumber: string): Callee {
  return persona(SANDBOX_NUMBER.exec(phoneNumber)?.[1] ?? '');
}

/** By the four digits alone, e.g. `0025`. */
export function persona(digits: string): Callee {
  return { ...POLITE_HUMAN, ...CALLEES[digits] };
}
