import { describe, expect, it } from '@jest/globals';
import { IvrMenuDetector } from './ivr-menu-detector.js';

const heard = (...texts: string[]) => {
  const menu = new IvrMenuDetector();
  return texts.map((text) => menu.detectMenu(text));
};

describe('a recorded menu', () => {
  it.each([
    'For repairs, press 1.',
    'Are you a customer? Press 1. I did not get that.',
    'To speak with a person, press zero.',
    'Press the star key to hear this again.',
    'To leave a message, dial 3.',
    'Für Reparaturen drücken Sie die 1.',
    'Wählen Sie bitte die Zwei.',
    'Für Rechnungen bitte die 2 drücken.',
    'Para reparaciones, pulse 1.',
    'Para facturas, marque el dos.',
    'Pour les réparations, tapez 1.',
    'Appuyez sur la touche étoile.',
    'Per le riparazioni, prema 1.',
    'Per la fatturazione digiti il tasto due.',
    'Para consertos, digite 1.',
    'Para faturas, pressione a tecla dois.',
    'Voor reparaties, toets 1.',
    'Druk op de twee voor facturen.',
    'Aby zgłosić awarię, naciśnij 1.',
    'Proszę wybrać dwa.',
  ])('is recognised once: %s', (text) => {
    expect(heard('Thank you for calling.', text, text)).toEqual([false, true, false]);
  });

  it.each([
    ['Hello, this is Grace.'],
    ['In an emergency, dial 911.'],
    ['Wählen Sie in Notfällen die 112.'],
    ['You impressed one of us.'],
    ['Hello? Do you want me to press one?'],
    ['Hold on, I have to press one.'],
    ['Soll ich die Eins drücken?'],
    ['Moment, ich muss erst die 1 drücken.'],
    ['Please leave a message after the tone, or press 1 for more options.'],
    ['Please record your message at the tone.', 'When you have finished, press 1 for more options.'],
    ['When you are done recording, you may hang up or press 1.'],
    ['Sprechen Sie nach dem Signalton.', 'Drücken Sie die 1, um Ihre Nachricht zu ändern.'],
  ])('is not recognised: %s', (...texts) => {
    expect(heard(...texts)).toEqual(texts.map(() => false));
  });

  it('is what the model presses keys in, unless it is a mailbox', () => {
    const menu = new IvrMenuDetector();
    expect([menu.handleKeysSent(), menu.handleKeysSent()]).toEqual([true, false]);
    const mailbox = new IvrMenuDetector();
    mailbox.detectMenu('Please leave a message after the tone.');
    expect(mailbox.handleKeysSent()).toBe(false);
  });
});
