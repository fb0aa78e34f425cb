import { describe, expect, it } from '@jest/globals';
import { redactionOptions } from './redaction-options.js';
import { HOLD_ALL, HOLD_NAMED, TurnRedactor, type HoldingRule } from './turn-redactor.js';

/** Turns as they are stored in the end, and as each was shown first. */
function talk(rule: HoldingRule, ...turns: string[]) {
  const redactor = new TurnRedactor(redactionOptions('en-US'), rule);
  const first = new Map<number, string>();
  const last = new Map<number, string>();
  const show = (changed: { seq: number; text: string }[]): void => {
    for (const { seq, text } of changed) {
      if (!first.has(seq)) first.set(seq, text);
      last.set(seq, text);
    }
  };
  turns.forEach((turn, index) => {
    const [who, text = ''] = turn.split(': ');
    if (who === 'AI') redactor.addAssistant(text);
    else show(redactor.addCustomer(index + 1, text));
  });
  show(redactor.finish());
  return { first: [...first.values()], last: [...last.values()] };
}

describe('a number over several turns', () => {
  it('is hidden in each of them, before the last one comes', () => {
    const { first, last } = talk(
      HOLD_ALL,
      'AI: How do you want to pay?',
      'Customer: Sure, 4111 1111.',
      'AI: Go on.',
      'Customer: and then 1111',
      'AI: What are the next four digits?',
      'Customer: 1111, that is all.',
    );
    expect(first).toEqual(['Sure, [number].', 'and then [number]', '[card number], that is all.']);
    expect(last).toEqual(['Sure, [card number]', 'and then [card number]', '[card number], that is all.']);
  });

  it('is hidden whatever the assistant asks, where words say what it is', () => {
    const { last } = talk(
      HOLD_ALL,
      'AI: What is your card number?',
      'Customer: Sure, 4111 1111.',
      'AI: Thank you, I have the first eight digits. What are the next ones?',
      'Customer: and then 1111',
      'AI: And what are the last four digits?',
      'Customer: 1111, that is all.',
    );
    expect(last).toEqual(['Sure, [card number]', 'and then [card number]', '[card number], that is all.']);
  });

  it('in spoken words', () => {
    const { last } = talk(
      HOLD_ALL,
      'Customer: It is four one one one one one one one',
      'AI: Mhm.',
      'Customer: one one one one one one one one',
    );
    expect(last).toEqual(['It is [card number]', '[card number]']);
  });

  it('is shown again when the next turn does not go on with it', () => {
    const { first, last } = talk(
      HOLD_ALL,
      'AI: What is your zip code?',
      'Customer: It is 90210',
      'AI: And for how many people?',
      'Customer: 4 people on the 12th',
    );
    expect(first).toEqual(['It is [number]', '4 people on the 12th']);
    expect(last).toEqual(['It is 90210', '4 people on the 12th']);
  });

  it('is shown at the end of the conversation', () => {
    expect(talk(HOLD_ALL, 'Customer: My order is 48213').last).toEqual(['My order is 48213']);
  });
});

describe('for the model', () => {
  it('a part stays that nothing names, and is hidden when the next one shows what it is', () => {
    const { first, last } = talk(
      HOLD_NAMED,
      'Customer: It is 4111 1111',
      'AI: Go on.',
      'Customer: 1111 1111',
    );
    expect(first).toEqual(['It is 4111 1111', '[card number]']);
    expect(last).toEqual(['It is [card number]', '[card number]']);
  });

  it('a part that is named is hidden at once, but no zip code and no last four digits', () => {
    expect(talk(HOLD_NAMED, 'Customer: My card is 4111 1111').first).toEqual(['My card is [card number]']);
    expect(talk(HOLD_NAMED, 'Customer: My card ends in 1111').first).toEqual(['My card ends in 1111']);
    expect(talk(HOLD_NAMED, 'Customer: My zip code is 90210').first).toEqual(['My zip code is 90210']);
  });
});
