import { describe, expect, it } from '@jest/globals';
import {
  redactInterrupted,
  redactJsonText,
  redactStart,
  redactText,
  redactUnfinished,
  redactValue,
} from './redact-text.js';
import { redactionOptions } from './redaction-options.js';

const english = redactionOptions('en-US');

describe('redactText', () => {
  it.each([
    ['My card is 4111 1111 1111 1111, thanks.', 'My card is [card number], thanks.'],
    ['Pay to DE89 3704 0044 0532 0130 00.', 'Pay to [iban].'],
    ['My social is 536-22-8726.', 'My social is [id number].'],
    ['Call 201-555-0123 or write to a.b@example.com', 'Call [phone number] or write to [email]'],
    ['Call +12015550123 or (212) 736-5000.', 'Call [phone number] or [phone number].'],
    ['[keys pressed: 1234#]', '[keys]'],
    ['It is [CREDIT_CARD_1] and [SSN_2].', 'It is [card number] and [id number].'],
  ])('puts readable marks in place of numbers: %s', (text, redacted) => {
    expect(redactText(text, english)).toBe(redacted);
  });

  it.each([
    'That was $1,249.50 on May 12th, 2027 at 10:45 am.',
    'Order number 2015550123, two lamps, zip code 20500-0003.',
    'We are four, my son is seven, and room 4111 is on floor 12.',
    'A card has 16 digits, 4111 1111 1111 1112 is none.'.replace('card', 'lamp'),
  ])('leaves %s', (text) => {
    expect(redactText(text, english)).toBe(text);
  });

  it('hides a misheard number where the words before it say what it is', () => {
    expect(redactText('My card number is 4111 1111 1111 1112.', english)).toBe(
      'My card number is [card number].',
    );
    const question = { ...english, before: 'What is your card number?' };
    expect(redactText('4111 1111 1111 1112', question)).toBe('[card number]');
    expect(redactText('4111 1111 1111 1112', english)).toBe('4111 1111 1111 1112');
  });

  it('knows ids and telephone numbers of the countries of the conversation only', () => {
    expect(redactText('030 1234567', redactionOptions('de-DE'))).toBe('[phone number]');
    expect(redactText('030 1234567', english)).toBe('030 1234567');
    expect(redactText('030 1234567', redactionOptions('en-US', ['+493012345']))).toBe('[phone number]');
    expect(redactText('390.533.447-05', redactionOptions('pt-BR'))).toBe('[id number]');
  });

  it.each([
    ['en-US', '4111‐1111‐1111‐1111'],
    ['en-US', '4111‑1111‑1111‑1111'],
    ['en-US', '4111−1111−1111−1111'],
    ['en-US', '４１１１ １１１１ １１１１ １１１１'],
    ['ar-SA', '٤١١١ ١١١١ ١١١١ ١١١١'],
    ['hi-IN', '४१११ ११११ ११११ ११११'],
    ['en-US', '𝟒𝟏𝟏𝟏 𝟏𝟏𝟏𝟏 𝟏𝟏𝟏𝟏 𝟏𝟏𝟏𝟏'],
    ['en-US', '4111_1111_1111_1111'],
    ['en-US', '4111|1111|1111|1111'],
    ['en-US', '4111*1111*1111*1111'],
    ['en-US', '4111\u200b1111\u200b1111\u200b1111'],
  ])('reads all hyphens, digits and signs between them: %s %s', (language, text) => {
    expect(redactText(`(${text})`, redactionOptions(language))).toMatch(/^\(?\[card number\]\)$/);
  });

  it.each([
    ['uk-UA', `шість нуль ${'один '.repeat(13)}сім`],
    ['uk-UA', `${'п’ять '.repeat(12)}шість сім вісім сім`],
    ['nb-NO', `seks null ${'en '.repeat(13)}sju`],
    ['el-GR', `έξι μηδέν ${'ένα '.repeat(13)}εφτά`],
    ['he-IL', 'שלוש שבע שמונה שתיים שמונה שתיים שתיים ארבע שש שלוש אחת אפס אפס אפס חמש'],
    ['ar-SA', `أربعة ${'اثنين '.repeat(14)}صفر`],
    ['id-ID', `enam kosong ${'satu '.repeat(13)}tujuh`],
  ])('reads digits as they are said: %s %s', (language, words) => {
    expect(redactText(words, redactionOptions(language))).toBe('[card number]');
  });

  it.each([
    ['en-US', 'In that case, please use {415-555-2671}'],
    ['en-US', "Hi, I'm a customer of yours, {415-555-2671}"],
    ['en-US', "I'd like to order two pizzas. It's {415-555-2671}"],
    ['en-US', 'My number for the order is {415-555-2671}'],
    ['en-US', 'Customer N: {415-555-2671}'],
    ['en-US', "In that case it's {536-22-8726}"],
    ['de-DE', 'Für die Bestellung nehmen Sie bitte {0151 12345678}'],
    ['fr-FR', "Pour la réservation, c'est le {06 12 34 56 78}"],
    ['es-ES', 'Para el pedido, es el {612 345 678}'],
    ['it-IT', 'Per la prenotazione è il {347 1234567}'],
    ['pt-PT', 'Para a reserva, é o {912 345 678}'],
    ['nl-NL', 'Voor de bestelling is het {06 12345678}'],
    ['pl-PL', 'Do zamówienia proszę wpisać {512 345 678}'],
    ['en-US', 'plus {four four two zero seven nine four six oh nine five eight}'],
    ['en-US', 'plus {thirty-three six twelve thirty-four fifty-six seventy-nine}'],
    ['de-DE', 'plus {neunundvierzig eins sieben zwei drei vier fünf sechs sieben acht neun}'],
    ['nl-NL', 'plus {eenendertig zes een twee drie vier vijf zes zeven acht}'],
    ['zh-CN', '{13812345678}'],
    ['hi-IN', '{98765 43210}'],
    ['ru-RU', '{8 912 345-67-89}'],
    ['fr-FR', '{06/12/34/56/78}'],
    ['fr-BE', '{0475/12/34/56}'],
    ['de-DE', '{0151/12/34/56/78}'],
    ['en-US', 'My e-mail is {jane at example dot com}'],
    ['en-US', '{john dot doe at gmail dot com}'],
    ['en-US', '{kate at example dot org}'],
    ['en-US', 'Sure, {kate at gmail dot com}'],
    ['en-US', '| 2 | {415-555-2671}'],
    ['en-US', 'write to {jane22 at gmail.com}'],
  ])('hides what stands in brackets: %s %s', (language, marked) => {
    const [before = '', number = ''] = marked.split(/[{}]/);
    const redacted = redactText(before + number, redactionOptions(language));
    expect(redacted).toMatch(/\[(?:phone number|id number|email)\]$/);
    expect(redacted.startsWith(before)).toBe(true);
  });

  it.each([
    ['en-US', 'order number 4155552671'],
    ['en-US', 'The order is 4155552671'],
    ['de-DE', 'Bestellnummer 0151 12345678'],
    ['fr-FR', 'numéro de commande 06 12 34 56 78'],
    ['es-ES', 'El número de pedido es 612345678'],
    ['it-IT', "numero d'ordine 3471234567"],
    ['nl-NL', 'bestelnummer 0612345678'],
    ['pl-PL', 'numer zamówienia 512345678'],
    ['en-US', 'I booked it at booking.com'],
    ['en-US', 'You can order at www.pizza-shop.com'],
    ['en-US', 'order_id: 4155552671'],
    ['en-US', "It's at booking.com"],
    ['en-US', 'I saw that at amazon dot com'],
    ['fr-FR', 'Nom et prénom point fr'],
    ['fr-FR', 'Je cherche et je commande sur amazon point fr'],
    ['fr-FR', 'le 06/12/2034'],
  ])('leaves numbers of things, web addresses and dates: %s %s', (language, text) => {
    expect(redactText(text, redactionOptions(language))).toBe(text);
  });

  it('finds a card number behind more digits than are looked up', () => {
    const digits = '4, '.repeat(3_000);
    expect(redactText(`${digits} or 4111 1111 1111 1111`, english)).toBe(`${digits} or [card number]`);
  });
});

describe('redactStart', () => {
  it('leaves nothing of a number that the end divides', () => {
    const text = 'Your card 4111 1111 1111 1111 is charged.';
    expect(redactStart(text, 19, english)).toBe('Your card [card number]');
    expect(redactStart(text, 9, english)).toBe('Your card');
    expect(redactStart(text, 34, english)).toBe('Your card [card number] is c');
  });
});

describe('redactInterrupted', () => {
  it.each([
    ['So that is 4111 1111 1111 11', 'So that is'],
    ['So that is 4111 1111 1111 11, and', 'So that is'],
    ['So that is four one one one one o', 'So that is'],
    ['Your card is 41', 'Your card is'],
    ['Your card 4111 1111 1111 1111 is char', 'Your card [card number] is char'],
    ['Write to anna.meier@gm', 'Write to'],
    ['We open at 10', 'We open at 10'],
    ['Your order 90210 is on', 'Your order 90210 is on'],
    ['How can I hel', 'How can I hel'],
    ['', ''],
  ])('%s', (text, redacted) => {
    expect(redactInterrupted(text, english)).toBe(redacted);
  });
});

describe('redactUnfinished', () => {
  it.each([
    ['Your card is 4111 11', 'Your card is'],
    ['Your card 4111 1111 1111 1111 is charg', 'Your card [card number] is'],
    ['Write to anna.mei', 'Write to'],
    ['Write to anna.meier@gm', 'Write to'],
    ['How can I help you?', 'How can I help you?'],
    ['Hello', ''],
    ['Your card is 4111 1111, and then', 'Your card is'],
    ['Your card is 4111 1111, and then anoth', 'Your card is'],
    ['It is 4111 1111. Okay, uh', 'It is'],
    ['Your card number is 4111 1111, let me see', 'Your card number is [card number], let me'],
    ['Your order 90210 is on its way', 'Your order 90210 is on its'],
  ])('%s', (text, redacted) => {
    expect(redactUnfinished(text, english)).toBe(redacted);
  });
});

describe('values', () => {
  it('are redacted in all depths, by the names of their fields too', () => {
    const value = {
      card: 4111111111111111,
      phone_number: '2015550123',
      order_number: '2015550123',
      amount: 1250.5,
      notes: ['my card 4111111111111111', { mail: 'a@example.com', ok: true, none: null }],
    };
    expect(redactValue(value, english)).toEqual({
      card: '[card number]',
      phone_number: '[phone number]',
      order_number: '2015550123',
      amount: 1250.5,
      notes: ['my card [card number]', { mail: '[email]', ok: true, none: null }],
    });
  });

  it.each([
    [{ accountNumber: '55779911' }, { accountNumber: '[iban]' }],
    [{ AccountNumber: '55779911' }, { AccountNumber: '[iban]' }],
    [{ bankAccountNo: '55779911' }, { bankAccountNo: '[iban]' }],
    [{ cardNumber: '4111 1111 1111 1112' }, { cardNumber: '[card number]' }],
    [{ customerSSN: '536228720' }, { customerSSN: '[id number]' }],
    [{ account: { number: '55779911' } }, { account: { number: '[iban]' } }],
    [{ account: { number: 55779911 } }, { account: { number: '[iban]' } }],
    [{ cards: [{ value: '4111111111111112' }] }, { cards: [{ value: '[card number]' }] }],
    [{ accountNumbers: ['55779911'] }, { accountNumbers: ['[iban]'] }],
    [{ order: { contact: '2015550123' } }, { order: { contact: '[phone number]' } }],
  ])(
    'are hidden by names in camel case, and by those around a name that says nothing: %j',
    (value, hidden) => {
      expect(redactValue(value, english)).toEqual(hidden);
    },
  );

  it.each([
    [{ orderNumber: '2015550123' }],
    [{ orderNumber: 2015550123 }],
    [{ order: { number: '2015550123', id: 2015550124 } }],
    [{ account: { balance: 12345678, orderNumber: '55779911' } }],
    [{ card: { createdAt: 1700000000, amount: 12345678 } }],
    [{ id: 1125899906842624000, orderId: 9007199254740992000 }],
  ])('stay where the names say that it is no number of a person: %j', (value) => {
    expect(redactValue(value, english)).toEqual(value);
  });

  it('hide a number that begins like one of a card, and whose last digits JSON has lost', () => {
    expect(redactJsonText('{"pan":4111111111111111110,"n":[6011000000000000007]}', english)).toBe(
      '{"pan":"[card number]","n":["[card number]"]}',
    );
    expect(redactValue({ order_number: Number('4111111111111111110') }, english)).toEqual({
      order_number: '[card number]',
    });
  });

  it('may be JSON in a text', () => {
    expect(redactJsonText('{"mail":"a@example.com","n":1}', english)).toBe('{"mail":"[email]","n":1}');
    expect(redactJsonText('{"mail": a@example.com', english)).toBe('{"mail": [email]');
  });
});
