import { describe, expect, it } from '@jest/globals';
import { redactionOptions } from '../redaction/redaction-options.js';
import { FakeClock } from './engine/clock.fake.js';
import { FAKE_TOOL, FakeToolRunner } from './engine/conversation.fake.js';
import { RedactingToolRunner } from './redacting-tool-runner.js';

describe('RedactingToolRunner', () => {
  it.each([
    [
      { phone: '+12015550123', free: true },
      { phone: '[phone number]', free: true },
    ],
    ['Call 201-555-0123', 'Call [phone number]'],
    [undefined, undefined],
  ])('hides numbers in a result: %j', async (result, redacted) => {
    const tools = new FakeToolRunner(new FakeClock());
    tools.outcome = { ok: false, error: 'Not for a@example.com', result, durationMs: 1, statusCode: 404 };
    const runner = new RedactingToolRunner(tools, redactionOptions('en-US'));
    expect(await runner.run(FAKE_TOOL, { day: 'Monday' }, new AbortController().signal)).toEqual({
      ok: false,
      error: 'Not for [email]',
      result: redacted,
      durationMs: 1,
      statusCode: 404,
    });
  });
});
