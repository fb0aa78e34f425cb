import { describe, expect, it } from '@jest/globals';
import { redactJsonText, redactStart, redactText, redactUnfinished, redactValue } from './redact-text.js';
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

describe('redactUnfinished', () => {
  it.each([
    ['Your card is 4111 11', 'Your card is'],
    ['Your card 4111 1111 1111 1111 is charg', 'Your card [card number] is'],
    ['Write to anna.mei', 'Write to'],
    ['Write to anna.meier@gm', 'Write to'],
    ['How can I help you?', 'How can I help you?'],
    ['Hello', ''],
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

  it('may be JSON in a text', () => {
    expect(redactJsonText('{"mail":"a@example.com","n":1}', english)).toBe('{"mail":"[email]","n":1}');
    expect(redactJsonText('{"mail": a@example.com', english)).toBe('{"mail": [email]');
  });
});
