import { describe, expect, it } from '@jest/globals';
import { readCalledNumber, readCaller } from './caller-number.js';
import { toAttestation, toIncomingCall } from './twilio-forms.js';

const US = '+14155550100';
const DE = '+493012345678';

describe('readCaller', () => {
  it.each([
    undefined,
    '',
    ' ',
    '+',
    '0',
    '+0000000000',
    'anonymous',
    'Anonymous',
    'RESTRICTED',
    'Restricted',
    'unknown',
    'Unavailable',
    'Private Number',
    'No Caller-ID',
    'sip:anonymous@anonymous.invalid',
    'sip:Restricted@10.0.0.1;user=phone',
    'tel:anonymous',
    '+266696687',
    '266696687',
    '+7378742833',
    '+2562533',
    '+8656696',
    '+86282452253',
  ])('recognises that %j is not a number', (from) => {
    expect(readCaller(from, US)).toBeNull();
  });

  it.each([
    ['+15005550020', US, '+15005550020'],
    ['+17378742833', US, '+17378742833'],
    ['+12666966870', US, '+12666966870'],
    ['14155560160', US, '+14155560160'],
    ['4155560160', US, '+14155560160'],
    ['(415) 556-0160', US, '+14155560160'],
    ['0014155560160', DE, '+14155560160'],
    ['01149301234567', US, '+49301234567'],
    ['030 1234567', DE, '+49301234567'],
    ['49301234567', DE, '+49301234567'],
    ['0049301234567', DE, '+49301234567'],
    ['1 (415) 556-0160', DE, '+14155560160'],
    ['44 7400 123456', US, '+447400123456'],
    ['4915112345678', US, '+4915112345678'],
    ['07400123456', '+442079460000', '+447400123456'],
    ['0612345678', '+33123456789', '+33612345678'],
    ['+33612345678', US, '+33612345678'],
    ['tel:+14155560160', US, '+14155560160'],
    ['tel:4155560160;phone-context=+1', US, '+14155560160'],
    ['sip:+14155560160@trunk.example.com;user=phone', US, '+14155560160'],
    ['+14155560160', 'sip:desk@example.com', '+14155560160'],
    ['14155560160', 'sip:desk@example.com', '+14155560160'],
  ])('reads %s, who calls %s, as %s', (from, called, number) => {
    expect(readCaller(from, called)).toBe(number);
  });

  it.each([
    'sip:ada@example.com',
    'sip:1001@pbx.example.com',
    'sip:4155560160@pbx.example.com',
    'client:ada',
    'client:+14155560160',
    '611',
    '+1234',
    'whatsapp:+14155560160',
  ])('leaves %s as it is', (from) => {
    expect(readCaller(from, US)).toBe(from);
  });
});

it('adds the + that a trunk leaves out of the called number', () => {
  expect(['14155550100', US, 'sip:desk@example.com', '611'].map(readCalledNumber)).toEqual([
    US,
    US,
    'sip:desk@example.com',
    '611',
  ]);
});

it.each([
  [undefined, undefined],
  ['', 'none'],
  ['No-TN-Validation', 'none'],
  ['TN-Validation-Passed-A', 'A'],
  ['TN-Validation-Passed-A-Diverted', 'A'],
  ['tn-validation-passed-b', 'B'],
  ['TN-Validation-Passed-C-Passthrough', 'C'],
  ['TN-Validation-Failed-A', 'failed'],
  ['TN-Validation-Failed', 'failed'],
])('reads the attestation %s as %s', (verstat, attestation) => {
  expect(toAttestation(verstat)).toBe(attestation);
});

it('reads all fields of an incoming call', () => {
  const form = {
    CallSid: 'CA1',
    From: '4155560160',
    To: '14155550100',
    StirVerstat: 'TN-Validation-Passed-A',
  };
  expect(toIncomingCall(form)).toEqual({ sid: 'CA1', from: '+14155560160', to: US, attestation: 'A' });
});
