import { expect, it } from '@jest/globals';
import { isRecordingUrl } from './states/call-states.js';

it.each([
  ['https://api.twilio.com/2010-04-01/Accounts/AC1/Recordings/RE1', true],
  ['http://127.0.0.1:4010/Recordings/RE1', true],
  ['javascript:alert(1)', false],
  ['data:text/html,hello', false],
  ['file:///etc/passwd', false],
  ['//example.com/a', false],
  ['https://', false],
  ['', false],
  [`https://example.com/${'a'.repeat(2048)}`, false],
])('%s may be stored as the address of a recording: %s', (url, verdict) => {
  expect(isRecordingUrl(url)).toBe(verdict);
});
