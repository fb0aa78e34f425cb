import { Logger } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { startConversation } from './conversation.fake.js';
import { soundsLikeMailbox } from './mailbox-hold.js';

Logger.overrideLogger(false);

const ANNOUNCEMENT = 'I cannot come to the phone. Please leave a message after the tone.';

async function callMailbox(changes: Parameters<typeof startConversation>[0] = {}) {
  const call = startConversation({ pressesKeys: true, greeting: 'Hi, Ada here.', ...changes });
  call.model.willSay('Good day.').willSay('Fine.').willSay('Still there?').willSay('Bye.');
  await call.begin();
  return call;
}

describe('an outbound call that sounds like a mailbox', () => {
  it('is not answered until machine detection reports', async () => {
    const { clock, session, model, recorder } = await callMailbox();
    await session.interrupt('Hi,');
    await session.customerSays(ANNOUNCEMENT);
    await clock.advance(2_000);
    await session.customerSays('You may hang up when you have finished.');
    await clock.advance(3_000);
    expect(model.requests).toHaveLength(0);
    expect(session.speeches).toEqual([]);
    await session.emit({ kind: 'closed' });
    expect(recorder.lines).toEqual([
      'AI: Hi,',
      `Customer: ${ANNOUNCEMENT}`,
      'Customer: You may hang up when you have finished.',
    ]);
  });

  it('drops the response to the beginning of its announcement', async () => {
    const { clock, session, model, begin } = startConversation({ pressesKeys: true });
    model.willSay({ waitMs: 1_000 }, 'Good day.').willSay('Fine.');
    await begin();
    await session.customerSays('Hi, this is Bob.');
    await clock.advance(500);
    await session.customerSays('Leave a message after the beep.');
    await clock.advance(10_000);
    expect(session.speeches).toEqual([]);
  });

  it('is not asked whether somebody is there, and ends after the silence without a word', async () => {
    const { clock, session, model, result } = await callMailbox();
    await session.customerSays(ANNOUNCEMENT);
    await clock.advance(39_000);
    expect(model.requests).toHaveLength(0);
    await clock.advance(20_000);
    expect(result()).toMatchObject({ reason: 'silence' });
    expect(session.speeches).toEqual([]);
  });

  it('goes on with a person who speaks meanwhile, 6 s after the announcement', async () => {
    const { clock, session, model } = await callMailbox();
    await session.customerSays(ANNOUNCEMENT);
    await clock.advance(3_000);
    await session.customerSays('Hello? I am here.');
    await clock.advance(2_999);
    expect(model.requests).toHaveLength(0);
    await clock.advance(1);
    expect(model.requests).toHaveLength(1);
    await session.customerSays('Who is this, please tell me?');
    expect(model.requests.length).toBeGreaterThan(1);
  });

  it('goes on with a person who speaks later', async () => {
    const { clock, session, model } = await callMailbox();
    await session.customerSays(ANNOUNCEMENT);
    await clock.advance(6_000);
    expect(model.requests).toHaveLength(0);
    await session.customerSays('Hello, who is this?');
    expect(model.requests).toHaveLength(1);
  });

  it('goes on by itself with a person whom machine detection reports', async () => {
    const { clock, session, model, detection } = await callMailbox();
    await session.customerSays(ANNOUNCEMENT);
    expect(model.requests).toHaveLength(0);
    detection.isPerson = true;
    await clock.advance(6_000);
    expect(model.requests).toHaveLength(1);
  });

  it('goes on at once with a person whom machine detection has reported', async () => {
    const { session, model, detection } = await callMailbox();
    detection.isPerson = true;
    await session.customerSays(ANNOUNCEMENT);
    expect(model.requests).toHaveLength(1);
  });

  it.each([
    ['an inbound call', { pressesKeys: false }, ['Leave a message after the tone.']],
    [
      'the fourth utterance',
      {},
      ['Hi there.', 'Go ahead.', 'What is it?', 'I left you a voicemail yesterday.'],
    ],
    ['a question', {}, ['Would you like to leave a message?']],
    ['a menu', {}, ['For sales press one, to leave a message press two.']],
    ['a person who calls back', {}, ['I am driving, I will call you back later.']],
    ['a person who got a message', {}, ['I got your message on my voicemail.']],
  ])('is answered: %s', async (_, changes, words) => {
    const { session, model } = await callMailbox(changes);
    for (const [index, text] of words.entries()) {
      await session.customerSays(text);
      expect(model.requests).toHaveLength(index + 1);
    }
  });
});

describe('soundsLikeMailbox', () => {
  it.each([
    ['Hinterlassen Sie eine Nachricht nach dem Signalton.', 'de-DE', true],
    ['Deje su mensaje después de la señal.', 'es-MX', true],
    ['发出提示音后请留言。', 'zh-CN', true],
    ['Please leave a message.', 'fi-FI', true],
    ['Guten Tag, wer ist da?', 'de-DE', false],
    ['To reach sales press one, or leave a message after the tone.', 'en-US', true],
    ['You have reached the voicemail of Ada Miller.', 'en-US', true],
    ['Your call has been forwarded to an automatic voice message system.', 'en-US', true],
    ['The mailbox is full and cannot accept any messages.', 'en-US', true],
    ["Hi, it's Ada, leave your name and number.", 'en-US', true],
    ['Das ist die Mailbox von Ada Müller.', 'de-DE', true],
    ['Bitte sprechen Sie Ihre Nachricht.', 'de-DE', true],
    ['Bitte nach dem Piep eine Nachricht hinterlassen.', 'de-DE', true],
    ['Su llamada ha sido desviada al buzón de voz.', 'es-ES', true],
    ['Vous êtes bien sur la messagerie de Ada.', 'fr-FR', true],
    ['Merci de laisser un message.', 'fr-FR', true],
    ['Risponde la segreteria telefonica di Ada.', 'it-IT', true],
    ['Dit is de voicemail van Ada.', 'nl-NL', true],
    ['Tu poczta głosowa numeru pięć.', 'pl-PL', true],
    ['Sua chamada está sendo encaminhada para a caixa postal.', 'pt-BR', true],
    ['您的电话已转接至语音信箱。', 'zh-CN', true],
    ['留守番電話サービスに接続します。', 'ja-JP', true],
    ['Wait for the beep.', 'en-US', true],
    ['At the sound of the tone, leave your details.', 'en-US', true],
    ['Sie sprechen mit der Mobilbox von Ada.', 'de-DE', true],
    ['Willkommen bei der Combox von Ada.', 'de-CH', true],
    ['Sprechen Sie nach dem Beep.', 'de-DE', true],
    ['Vous êtes en communication avec la messagerie vocale de Ada.', 'fr-FR', true],
    ['Parlez après la tonalité.', 'fr-CA', true],
    ['Hable después del tono.', 'es-MX', true],
    ['Este es el contestador de Ada.', 'es-ES', true],
    ['Parli dopo il bip.', 'it-IT', true],
    ['Sono la segreteria telefonica di Ada.', 'it-IT', true],
    ['Ligou para o voice mail de Ada.', 'pt-PT', true],
    ['Fale após o bip.', 'pt-BR', true],
    ['Spreek in na de biep.', 'nl-BE', true],
    ['Välkommen till mobilsvar.', 'sv-SE', true],
    ['Puhelu on siirretty vastaajaan.', 'fi-FI', true],
    ['Zanechte, prosím, vzkaz.', 'cs-CZ', true],
    ['Zanechajte, prosím, odkaz.', 'sk-SK', true],
    ['Hagyjon, kérem, üzenetet.', 'hu-HU', true],
    ['Lăsați, vă rog, un mesaj.', 'ro-RO', true],
    ['Ostavite, molimo, poruku.', 'hr-HR', true],
    ['Оставете, моля, съобщение.', 'bg-BG', true],
    ['Оставьте, пожалуйста, сообщение.', 'ru-RU', true],
    ['Залиште, будь ласка, повідомлення.', 'uk-UA', true],
    ['Αφήστε το μήνυμά σας.', 'el-GR', true],
    ['דברו אחרי הביפ.', 'he-IL', true],
    ['ピーと鳴りましたらお話しください。', 'ja-JP', true],
    ['소리샘으로 연결합니다.', 'ko-KR', true],
    ['请在滴的一声后说话。', 'zh-CN', true],
    ['請在嗶一聲後說話。', 'zh-TW', true],
    ['Parli després del xiulet.', 'ca-ES', true],
  ])('%j in %s: %s', (text, language, expected) => {
    expect(soundsLikeMailbox(text, language)).toBe(expected);
  });

  it.each([
    ['en-US', ['I got your message', 'Leave me alone', 'Call me after the message', 'Your mailbox is full']],
    [
      'en-US',
      ['Did you leave a voicemail', 'I wanted to leave you a message', "Please don't leave a message"],
    ],
    ['de-DE', ['Ich habe Ihre Nachricht bekommen', 'Ich habe Ihnen eine Nachricht hinterlassen']],
    [
      'de-DE',
      ['Ich war bei Ihnen auf der Mailbox', 'Hinterlassen Sie mir keine Nachrichten mehr', 'Es piept'],
    ],
    ['es-MX', ['Recibí su mensaje', 'Le dejé un mensaje en el buzón', 'Me deja un mensaje cada día']],
    ['fr-FR', ['J’ai eu votre message', 'Je suis tombé sur votre répondeur', 'Ne laissez plus de message']],
    ['it-IT', ['Ho ricevuto il messaggio', 'Non ho segnale', 'Ho parlato con la segreteria']],
    ['nl-NL', ['Ik heb uw bericht gehoord', 'Ik kreeg de voicemail', 'Ik spreek een bericht in']],
    ['pl-PL', ['Dostałem wiadomość', 'Nagrałem się na pocztę', 'Nie mam sygnału']],
    ['pt-BR', ['Recebi sua mensagem', 'Deixei um recado', 'Caí na caixa postal do senhor']],
    ['sv-SE', ['Du lämnade ett meddelande', 'Jag hörde min telefonsvarare']],
    ['da-DK', ['Jeg fik din besked', 'Jeg vil lægge en besked', 'Jeg hørte min telefonsvarer']],
    ['nb-NO', ['Jeg la igjen en beskjed', 'Jeg ville legge igjen en beskjed']],
    ['fi-FI', ['Jätin viestin', 'Kuulin vastaajan']],
    ['cs-CZ', ['Dostal jsem vaši zprávu', 'Mluvil jsem na záznamník']],
    ['hu-HU', ['Megkaptam az üzenetét', 'Hagyjak üzenetet']],
    ['ro-RO', ['Am primit mesajul', 'V-am lăsat un mesaj']],
    ['bg-BG', ['Оставих ви съобщение', 'Чух гласовата поща']],
    ['el-GR', ['Μου άφησε μήνυμα', 'Άκουσα τον τηλεφωνητή']],
    ['ru-RU', ['Я получил ваше сообщение', 'У меня автоответчик', 'Я хотел оставить сообщение']],
    ['uk-UA', ['Я отримав ваше повідомлення', 'У мене автовідповідач']],
    ['tr-TR', ['Mesajınızı aldım', 'Size mesaj bıraktım']],
    ['ar-SA', ['وصلتني رسالتك', 'تركت لك رسالة']],
    ['he-IL', ['קיבלתי את ההודעה', 'השארתי לך הודעה']],
    ['hi-IN', ['मुझे आपका संदेश मिला', 'मैंने संदेश छोड़ा था']],
    ['id-ID', ['Saya terima pesan Anda', 'Saya sudah meninggalkan pesan']],
    ['vi-VN', ['Tôi đã nhận tin nhắn', 'Tôi đã để lại lời nhắn']],
    ['ja-JP', ['留守電を聞きました', 'メッセージを聞きました']],
    ['ko-KR', ['메시지 받았어요', '음성사서함에 메시지 남겼어요']],
    ['zh-CN', ['我听到你的留言了', '请问你留言了吗']],
    ['zh-TW', ['我聽到你的留言了', '我的語音信箱滿了']],
    ['ca-ES', ['Vaig deixar un missatge', 'Tinc el contestador']],
    ['hr-HR', ['Dobio sam vašu poruku', 'Želim ostaviti poruku']],
    ['sk-SK', ['Dostal som váš odkaz', 'Mám záznamník']],
  ])('%s: people mention messages and mailboxes: %j', (language, texts) => {
    expect(texts.filter((text) => soundsLikeMailbox(text, language))).toEqual([]);
  });
});
