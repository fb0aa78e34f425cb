import { describe, expect, it } from '@jest/globals';
import { CallScreening } from './call-screening.js';

const heard = (language: string, ...texts: string[]) => {
  const screening = new CallScreening(true, []);
  return texts.map((text) => screening.handleUtterance(text, language));
};

describe('call screening', () => {
  it.each([
    ['en-US', "Hi, if you record your name and reason for calling, I'll see if this person is available."],
    ['en-GB', 'Go ahead and say your name, and why you’re calling.'],
    ['en-US', "Hi, the person you're calling is using a screening service and will get a copy of this."],
    ['en-US', 'Please state your name and the purpose of your call.'],
    ['de-DE', 'Bitte nennen Sie Ihren Namen und den Grund Ihres Anrufs.'],
    ['es-ES', 'Diga su nombre y el motivo de su llamada, por favor.'],
    ['fr-FR', 'Veuillez indiquer votre nom et la raison de votre appel.'],
    ['it-IT', 'Dica il suo nome e il motivo della chiamata.'],
    ['pt-BR', 'Diga seu nome e o motivo da ligação.'],
    ['nl-NL', 'Noem uw naam en de reden van uw telefoontje.'],
    ['pl-PL', 'Proszę podać imię i nazwisko oraz powód rozmowy.'],
    ['en-US', "May I have your name and the reason for your call? I'll see if they are available."],
    ['en-US', 'Can you say your name and why you are calling while I connect you?'],
    ['en-US', "Please state your name and I'll see if they are available."],
    ['en-US', 'State your name after the tone and we will try to connect you.'],
    ['en-GB', 'Record your full name and hold the line, please.'],
    ['en-US', 'Say your name after the tone and I will put you through.'],
    ['de-DE', 'Nennen Sie bitte Ihren Namen, ich prüfe, ob die Person verfügbar ist.'],
    ['de-DE', 'Bitte sprechen Sie Ihren Namen nach dem Ton, dann verbinde ich Sie.'],
    ['es-ES', 'Diga su nombre después de la señal e intentaremos conectarle.'],
    ['fr-FR', 'Dites votre nom après le bip, nous essayons de joindre votre correspondant.'],
    ['it-IT', 'Dica il suo nome dopo il segnale e vedo se la persona è disponibile.'],
    ['pt-BR', 'Diga seu nome após o sinal e vamos tentar conectar a chamada.'],
    ['nl-NL', 'Noem uw naam na de toon, dan kijk ik of de persoon beschikbaar is.'],
    ['pl-PL', 'Proszę podać imię po sygnale, spróbujemy połączyć rozmowę.'],
    ['tr-TR', 'İsminizi ve arama nedeninizi söyleyin.'],
    // A telephone may ask in another language than the call's.
    ['de-DE', 'Please say your name and why you are calling.'],
    ['ja-JP', 'Please say your name and why you are calling.'],
  ])('is recognised in %s: %s', (language, text) => {
    expect(heard(language, text)).toEqual(['asked']);
  });

  it.each([
    ['en-US', "Please leave your name and the reason for your call after the tone, and I'll call you back."],
    ['de-DE', 'Nennen Sie nach dem Signalton Ihren Namen und Ihr Anliegen.'],
    ['fr-FR', 'Laissez votre nom et la raison de votre appel après le bip.'],
    ['en-US', 'I am not available right now. Leave your name and number after the tone.'],
    ['en-US', 'You are connected to the Morgan practice. State your name and number after the tone.'],
    ['en-US', 'Say your name and number, and we will call you as soon as a colleague is available.'],
    ['en-US', 'If he is not available, state your name and leave a message, or I will connect you.'],
    ['en-US', 'Say your name after the tone and leave a message, or hold the line for an operator.'],
    ['en-US', 'I am unavailable. State your name after the tone, and my office will let them know.'],
    ['de-DE', 'Ich bin im Moment nicht erreichbar. Nennen Sie Namen und Nummer nach dem Ton.'],
    ['de-DE', 'Sie sind mit der Praxis Morgan verbunden. Sprechen Sie Ihren Namen nach dem Ton.'],
    ['es-ES', 'Se ha comunicado con la familia Pérez. Diga su nombre y teléfono después de la señal.'],
    ['fr-FR', 'Donnez votre nom et un numéro où vous joindre après le bip.'],
    ['it-IT', 'Non sono disponibile. Dica il suo nome e numero dopo il segnale.'],
    ['pt-BR', 'Diga seu nome e telefone após o sinal.'],
    ['nl-NL', 'Spreek uw naam in na de toon en het nummer waarop u te bereiken bent.'],
    ['pl-PL', 'Proszę podać imię i numer po sygnale.'],
    ['en-US', 'Who is calling, please?'],
    ['en-US', 'My name is Grace.'],
    ['en-US', 'You have reached the voicemail of Grace Miller.'],
    // A person asks who calls.
    ['en-US', 'Sorry, what was your name again and why are you calling me?'],
    ['en-US', "Could you tell me your name and why you're calling?"],
    ['en-GB', 'May I have your name and the reason for your call, please?'],
    ['de-DE', 'Können Sie mir Ihren Namen sagen und warum Sie anrufen?'],
    ['es-ES', '¿Puede decirme su nombre y el motivo de su llamada?'],
    ['fr-FR', 'Pouvez-vous me dire votre nom et la raison de votre appel ?'],
    ['en-US', 'Who is this? Tell me your name and the reason for this call.'],
    ['en-GB', "What's the purpose of this call, and what is your name?"],
    ['de-DE', 'Entschuldigung, wie war noch mal Ihr Name, und warum rufen Sie an?'],
    ['es-ES', 'Perdone, ¿cuál era su nombre y por qué me llama?'],
    ['fr-FR', 'Pardon, quel était votre nom, et pourquoi m’appelez-vous ?'],
    ['it-IT', 'Scusi, qual era il suo nome e perché mi chiama?'],
    ['pt-BR', 'Desculpe, qual era o seu nome e por que está me ligando?'],
    ['nl-NL', 'Sorry, wat was uw naam ook alweer, en waarom belt u mij?'],
    ['pl-PL', 'Przepraszam, jakie było pana nazwisko i dlaczego pan do mnie dzwoni?'],
  ])('is not recognised in %s: %s', (language, text) => {
    expect(heard(language, text)).toEqual([null]);
  });

  const ASKS = 'Please state your name and why you are calling.';

  it.each([
    ['holds', 'Thanks. Please stay on the line.'],
    ['holds', "I'll see if they are available."],
    ['holds', 'One moment.'],
    ['asked', 'Sorry, say your name and why you are calling.'],
    ['declined', "I'm sorry, this person is not available."],
    ['declined', 'Please leave a message after the tone.'],
    ['connected', 'Hello?'],
    ['connected', 'Yes, what is it about?'],
  ])('then %s: %s', (cue, text) => {
    expect(heard('en-US', ASKS, text)).toEqual(['asked', cue]);
  });

  it('ends when the person answers, and does not begin in the middle of a conversation', () => {
    expect(heard('en-US', ASKS, 'Hello?', 'One moment.', ASKS)).toEqual(['asked', 'connected', null, null]);
    expect(heard('en-US', 'Hello.', 'Yes.', 'Fine.', ASKS)).toEqual([null, null, null, null]);
    expect(new CallScreening(false, []).handleUtterance(ASKS, 'en-US')).toBeNull();
  });

  it.each([
    ['asked', 'Hello?', 'connected'],
    ['asked', 'Please hold.', 'holds'],
    ['connected', 'Please hold.', null],
  ] as const)('continues after a break of the line: %s, then %s', (step, text, cue) => {
    const entry = { role: 'tool', seq: 3, name: 'call_screening', arguments: { step }, answer: '' } as const;
    expect(new CallScreening(true, [entry]).handleUtterance(text, 'en-US')).toBe(cue);
  });
});
