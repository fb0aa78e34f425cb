import { describe, expect, it } from '@jest/globals';
import { storedForm } from './chat-redaction.js';

const form = storedForm({ redaction: 'store', language: { name: 'English', tag: 'en-US' } });

/** The messages as they are stored one after the other. */
function store(...turns: [message: string, answer: string | null][]): string[] {
  const before: { seq: number; message: string | null; answer: string | null }[] = [];
  for (const [seq, [message, answer]] of turns.entries())
    before.push({ seq, message: seq === 0 ? null : form.message(message, before), answer });
  return before.slice(1).map(({ message }) => message ?? '');
}

describe('messages of a text conversation', () => {
  it('are hidden by what the assistant asked', () => {
    expect(store(['', 'What is your account number?'], ['55779911', null])).toEqual(['[iban]']);
    const waiting = store(['', 'What is your account number?'], ['One moment', null], ['55779911', null]);
    expect(waiting).toEqual(['One moment', '[iban]']);
    expect(store(['', 'What is your order number?'], ['2015550123', null])).toEqual(['2015550123']);
    expect(store(['', 'Hello!'], ['55779911', null])).toEqual(['55779911']);
  });

  it('hide the second part of a number', () => {
    expect(store(['', 'Hello!'], ['4111 1111', 'Go on.'], ['1111 1111', null])).toEqual([
      '4111 1111',
      '[card number]',
    ]);
    expect(store(['', 'Hello!'], ['4111 1111', null], ['1111 1111', null]).at(1)).toBe('[card number]');
  });

  it('hide both parts where words name the number', () => {
    const asked = store(['', 'What is your card number?'], ['4111 1111', 'Go on.'], ['1111 1111', null]);
    expect(asked).toEqual(['[card number]', '[card number]']);
  });

  it('stay where another number is asked for after a hidden one', () => {
    const asked = store(
      ['', 'What is your card number?'],
      ['4111 1111 1111 1111', 'And your order number?'],
      ['48213377', null],
    );
    expect(asked).toEqual(['[card number]', '48213377']);
  });
});
