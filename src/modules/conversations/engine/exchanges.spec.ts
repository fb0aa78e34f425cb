import { describe, expect, it } from '@jest/globals';
import { countExchanges } from './exchanges.js';

const turns = (...lines: string[]) =>
  lines.map((line) => ({
    role: line.startsWith('AI') ? ('assistant' as const) : ('customer' as const),
    kind: line.startsWith('AI (filler)') ? ('filler' as const) : ('speech' as const),
    text: line.replace(/^(AI|AI \(filler\)|C): /, ''),
  }));

const GREETING = 'AI: Hello, do you have a minute?';

describe('countExchanges', () => {
  it.each([
    ['nobody has spoken', []],
    ['only the assistant has spoken', [GREETING, 'AI: Hello?']],
    [
      'the assistant has spoken only a filler',
      ['C: Good morning, Mary speaking.', 'AI (filler): One moment.'],
    ],
    ['only the other side has spoken', ['C: Good morning, Mary speaking.']],
    ['there is no word in what was said', [GREETING, 'C: …', 'C: ♪']],
    ['keys were pressed', [GREETING, 'C: [keys pressed: ****]']],
    ['a mailbox announces itself', [GREETING, 'C: Please leave a message after the tone.', 'AI: I will.']],
    [
      'its announcement has two parts',
      [GREETING, "C: You've reached Ada.", 'AI: Good day.', "C: I'm out today."],
    ],
    [
      'it says last what it is',
      [GREETING, 'C: Hi.', 'AI: Hi.', 'C: Ada here.', 'AI: Good.', 'C: Speak at the beep.'],
    ],
    ['it speaks German', [GREETING, 'C: Die gewählte Rufnummer ist nicht vergeben.']],
    ['it speaks French', [GREETING, 'C: Vous êtes bien chez Ada.', 'AI: Bonjour.']],
  ])('is 0 when %s', (_, lines) => {
    expect(countExchanges(turns(...lines))).toBe(0);
  });

  it.each([
    'The person you are trying to reach is not available.',
    'Der gewünschte Gesprächspartner ist zurzeit nicht erreichbar.',
    'Le client que vous tentez de joindre n’est pas disponible.',
    'El número que usted marcó no está disponible.',
    'O número chamado está desligado.',
    'Het nummer dat u belt is niet in gebruik.',
    'Wybrany numer nie odpowiada.',
    'Personen du söker kan inte svara just nu.',
    'Personen, du ringer til, kan ikke kontaktes.',
    'Personen du ringer er ikke tilgjengelig.',
    'Tavoittelemaanne henkilöön ei juuri nyt saada yhteyttä.',
    'Korisnik trenutno nije dostupan.',
    'Вие се свързахте с Ада.',
    'الرقم المطلوب مغلق حالياً.',
    'ただいま電話に出ることができません。',
    '您呼叫的用户正忙。',
    'El telèfon al qual truca està apagat.',
  ])('is 0 after an announcement of the network: %s', (announcement) => {
    expect(countExchanges(turns(GREETING, `C: ${announcement}`))).toBe(0);
  });

  it.each([
    [
      'a long greeting',
      [GREETING, 'C: Good morning, this is the workshop of Smith and Sons, Mary speaking.'],
      1,
    ],
    ['who asks', ['C: You have reached Smith and Sons, how can I help you?', GREETING], 1],
    ['words, twice', [GREETING, 'C: Good morning.', 'AI: A minute?', 'C: Yes.'], 2],
    [
      'words about a mailbox',
      [GREETING, 'C: Your voicemail?', 'AI: Yes.', 'C: And?', 'AI: So.', 'C: Fine.'],
      3,
    ],
    ['words about one, late', [GREETING, 'C: Hi.', 'C: Yes.', 'C: Good.', 'C: Leave me a message then.'], 4],
  ])('counts those with a person of %s', (_, lines, count) => {
    expect(countExchanges(turns(...lines))).toBe(count);
  });
});
