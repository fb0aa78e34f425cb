/** What customers say in a language, of which the service decides without a model. */
interface WordSamples {
  /** Of a listener: the assistant goes on. */
  listens: string[];
  /** Whole answers to a question. */
  answers: string[];
  /** Into the assistant's goodbye, which ends the call. */
  parts: string[];
  /** Neither: these stop the assistant, also its goodbye. */
  stops: string[];
}

/** By language, or by tag where a region speaks differently. */
export const WORD_SAMPLES: Readonly<Record<string, WordSamples>> = {
  en: {
    listens: ['Got it.', 'Exactly.', 'Mm-hmm, great.'],
    answers: ['Nah.', 'Oh yes.', 'Absolutely.'],
    parts: [
      'You too, bye.',
      'You too.',
      'Have a good day!',
      'You’re welcome, bye.',
      'No thanks.',
      'Talk to you later.',
    ],
    stops: ['Wait.', 'No.', 'Hello.', 'One moment.'],
  },
  de: {
    listens: ['Alles klar.', 'Ja, stimmt.', 'Sehr gut.', 'Verstehe.'],
    answers: ['Nö.', 'Ja, gern.', 'Na klar.', 'Ja, genau.'],
    parts: ['Bis dann.', 'Machen Sie’s gut.', 'Ihnen auch.', 'Gern geschehen, tschau.', 'Gute Nacht.'],
    stops: ['Moment.', 'Halt.', 'Nein.', 'Ich auch.', 'Guten Tag.'],
  },
  'de-CH': {
    listens: ['Ja, genau.'],
    answers: ['Nei.', 'Ja, gern.'],
    parts: ['Tschau.', 'Adé merci.', 'Schöne Abig.'],
    stops: ['Moment.', 'Grüezi.'],
  },
  nl: {
    listens: ['Ja hoor.', 'Precies.', 'Klopt.', 'Is goed.'],
    answers: ['Nee hoor.', 'Neen.', 'Jazeker.'],
    parts: ['U ook.', 'Hetzelfde.', 'Graag gedaan.', 'Tot later.', 'Doeg.'],
    stops: ['Wacht.', 'Nee.', 'Ik ook.', 'Een probleem.', 'Ja, de'],
  },
  sv: {
    listens: ['Just det.', 'Javisst.', 'Exakt.'],
    answers: ['Absolut.', 'Nää.'],
    parts: ['Du med!', 'Detsamma.', 'Vi hörs.', 'Ha en bra dag!', 'Ingen orsak.'],
    stops: ['Vänta.', 'Nej.', 'Jag med.'],
  },
  da: {
    listens: ['Lige præcis.', 'Javel.', 'Fint.'],
    answers: ['Ja tak.', 'Næh.', 'Nemlig.'],
    parts: ['I lige måde.', 'Hav en god dag.', 'Vi ses.', 'Velbekomme.', 'God weekend.'],
    stops: ['Vent.', 'Nej.', 'God dag.'],
  },
  nb: {
    listens: ['Javel.', 'Greit.', 'Jaha.'],
    answers: ['Ja takk.', 'Næ.', 'Stemmer.'],
    parts: ['I like måte.', 'Vi snakkes.', 'Bare hyggelig.', 'Deg også.', 'God helg.'],
    stops: ['Vent.', 'Nei.', 'God dag.'],
  },
  fr: {
    listens: ['Si.', 'Très bien.', 'Tout à fait.', 'Voilà.'],
    answers: ['D’accord.', 'Ah oui.', 'Non, merci.', 'Exactement.'],
    parts: ['De rien, au revoir.', 'Je vous en prie.', 'Vous aussi.', 'Bonne fin de journée.', 'Bonne nuit.'],
    stops: ['Attendez.', 'Non.', 'Moi aussi.', 'À midi.', 'Pas d’accord.'],
  },
  'fr-CA': {
    listens: ['Correct.', 'Ben oui.'],
    answers: ['D’accord.', 'Ouin.'],
    parts: ['Merci, bonjour.', 'Bye bye.', 'Bienvenue.'],
    stops: ['Un instant.', 'La semaine prochaine.'],
  },
  es: {
    listens: ['Muy bien.', 'Así es.', 'Si, claro.', 'Entiendo.', 'Por supuesto.'],
    answers: ['De acuerdo.', 'Exacto.', 'Ah, sí.'],
    parts: ['Gracias, buenas tardes.', 'Igualmente.', 'De nada.', 'Nos vemos.', 'Que pase buena noche.'],
    stops: ['Espere.', 'No.', 'Un momento.', 'Buenos días.'],
  },
  'es-MX': {
    listens: ['Ándale.', 'Listo.', 'Órale, sale.'],
    answers: ['Sí, claro.'],
    parts: ['Gracias, bye.', 'Hasta la próxima.', 'Que tenga buen día.'],
    stops: ['Espéreme.', 'Buenos días.'],
  },
  it: {
    listens: ['Va bene.', 'Esatto.', 'Eh sì.', 'Ho capito.', 'Si.'],
    answers: ['Va bene.', 'D’accordo.', 'Certamente.'],
    parts: ['Prego.', 'Grazie, buonasera.', 'A presto.', 'Anche a lei.', 'Ci sentiamo.', 'Di niente.'],
    stops: ['Aspetti.', 'No.', 'Buonasera.', 'Non'],
  },
  pt: {
    listens: ['Está bem.', 'Exatamente.', 'Percebo.', 'Certo.'],
    answers: ['Sim, claro.', 'Está bem, certo.'],
    parts: ['De nada, adeus.', 'Igualmente.', 'Obrigado, boa tarde.', 'Obrigado eu.', 'Até à próxima.'],
    stops: ['Espere.', 'Não.', 'Boa tarde.'],
  },
  'pt-BR': {
    listens: ['É.', 'Legal.', 'Tudo bem.', 'Beleza.'],
    answers: ['Certo, obrigado.'],
    parts: ['Valeu, tchau.', 'Imagina.', 'Para você também.', 'Eu que agradeço.'],
    stops: ['Espera.', 'Bom dia.'],
  },
  ca: {
    listens: ['Molt bé.', 'És clar.', 'Exacte.', 'Si.'],
    answers: ['D’acord.', 'Perfecte.'],
    parts: ['Adeu.', 'Adéu-siau.', 'De res.', 'Igualment.', 'Que tingui un bon dia.'],
    stops: ['Esperi.', 'No.', 'Deu.', 'Bon dia.'],
  },
  ro: {
    listens: ['Am înțeles.', 'Exact.', 'Așa e.', 'În regulă.'],
    answers: ['Da, desigur.', 'Perfect.'],
    parts: ['O zi bună!', 'La fel.', 'Cu plăcere.', 'Pe curând.', 'Asemenea.'],
    stops: ['Stați.', 'Nu.', 'Bună ziua.'],
  },
  pl: {
    listens: ['Rozumiem.', 'Dobrze.', 'No tak.', 'Zgadza się.'],
    answers: ['Oczywiście.', 'Tak, dobrze.'],
    parts: [
      'Nawzajem.',
      'Do zobaczenia.',
      'Wszystkiego dobrego.',
      'Miłego weekendu.',
      'Proszę bardzo.',
      'Dobranoc.',
    ],
    stops: ['Chwileczkę.', 'Nie.', 'Dzień dobry.'],
  },
  cs: {
    listens: ['No jo.', 'Rozumím.', 'Přesně.', 'V pořádku.'],
    answers: ['Samozřejmě.', 'Určitě ano.'],
    parts: ['Vám také.', 'Nápodobně.', 'Mějte se.', 'Na slyšenou.', 'Není zač.', 'Dobrou noc.'],
    stops: ['Počkejte.', 'Ne.', 'Dobrý den.'],
  },
  sk: {
    listens: ['No dobre.', 'Rozumiem.', 'Presne.'],
    answers: ['Samozrejme.', 'Určite áno.'],
    parts: ['Aj vám.', 'Podobne.', 'Majte sa.', 'Do počutia.', 'Dobrú noc.'],
    stops: ['Počkajte.', 'Nie.', 'Dobrý deň.'],
  },
  hr: {
    listens: ['Može.', 'U redu.', 'Tako je.'],
    answers: ['Svakako.', 'Može, hvala.'],
    parts: ['Također.', 'I vama.', 'Ugodan ostatak dana.', 'Lijep pozdrav.', 'Nema na čemu.'],
    stops: ['Čekajte.', 'Ne.', 'Dobar dan.'],
  },
  bg: {
    listens: ['Ъхъ.', 'Разбрах.', 'Точно така.', 'Разбира се.'],
    answers: ['Да, разбира се.', 'Правилно.'],
    parts: ['И на вас.', 'Всичко хубаво.', 'Лека нощ.', 'До скоро.'],
    stops: ['Чакайте.', 'Не.', 'Добър ден.'],
  },
  ru: {
    listens: ['Поняла.', 'Точно.', 'Ну да.', 'Верно.'],
    answers: ['Отлично.', 'Неа.', 'Да, пожалуйста.'],
    parts: ['Всего доброго.', 'И вам того же.', 'Взаимно.', 'Давайте, до свидания.', 'Спокойной ночи.'],
    stops: ['Подождите.', 'Нет.', 'Добрый день.'],
  },
  uk: {
    listens: ['Зрозумів.', 'Точно.', 'Ну так.'],
    answers: ['Звичайно.', 'Так, будь ласка.'],
    parts: ['І вам.', 'На все добре.', 'Навзаєм.', 'Всього доброго.', 'На добраніч.'],
    stops: ['Зачекайте.', 'Ні.', 'Добрий день.'],
  },
  fi: {
    listens: ['Vai niin.', 'Juuri niin.', 'Selvä.', 'Jep.'],
    answers: ['Selvä.', 'Kyllä, kiitos.', 'En.'],
    parts: ['Samoin.', 'Mukavaa päivää.', 'Ole hyvä, kuulemiin.', 'Hyvää yötä.', 'Moi moi.'],
    stops: ['Ei hyvä.', 'Odottakaa.', 'Ei.', 'Hyvää päivää.'],
  },
  hu: {
    listens: ['Rendben.', 'Világos.', 'Pontosan.'],
    answers: ['Rendben.', 'Természetesen.'],
    parts: ['Önnek is.', 'Minden jót.', 'Szívesen.', 'Viszhall.', 'Jó éjszakát.'],
    stops: ['Várjon.', 'Nem.', 'Jó napot!', 'Viszont'],
  },
  el: {
    listens: ['Σωστά.', 'Έγινε.', 'Τέλεια.'],
    answers: ['Βεβαίως.', 'Φυσικά.'],
    parts: [
      'Να είστε καλά.',
      'Επίσης.',
      'Τα λέμε.',
      'Παρακαλώ, γεια σας.',
      'Καλή συνέχεια.',
      'Ευχαριστώ, Άννα.',
    ],
    stops: ['Περιμένετε.', 'Όχι.', 'Καλημέρα.'],
  },
  tr: {
    listens: ['Aynen.', 'Tabii ki.', 'Anlıyorum.', 'İyi, tamam.'],
    answers: ['Elbette.', 'Aynen, evet.'],
    parts: [
      'İyi günler.',
      'Sağ olun.',
      'Size de.',
      'Rica ederim.',
      'Kendinize iyi bakın.',
      'Teşekkürler İbrahim',
    ],
    stops: ['Bekleyin.', 'Hayır.', 'Alo.'],
  },
  ar: {
    listens: ['ماشي.', 'حسنًا.', 'أيوا.'],
    answers: ['لا، شكرًا.', 'أكيد.', 'لأ.'],
    parts: ['شكرًا جزيلًا.', 'الله يعطيك العافية.', 'وعليكم السلام.', 'إن شاء الله.', 'يوم سعيد.'],
    stops: ['انتظر.', 'لا.', 'مساء الخير.'],
  },
  he: {
    listens: ['סבבה.', 'מצוין.', 'בדיוק.'],
    answers: ['כמובן.', 'לא, תודה.'],
    parts: ['יום טוב.', 'גם לך.', 'כל טוב.', 'יאללה ביי.', 'המשך יום נעים.'],
    stops: ['יום שבת.', 'רגע.', 'לא.', 'הלו.'],
  },
  hi: {
    listens: ['ठीक है।', 'समझ गया।', 'हाँजी।'],
    answers: ['ठीक है।', 'नहीं, शुक्रिया।', 'ज़रूर।'],
    parts: ['थैंक यू, बाय।', 'आपका दिन शुभ हो।', 'ठीक है जी, धन्यवाद।'],
    stops: ['रुकिए।', 'नहीं।', 'अरे!', 'हेलो।'],
  },
  id: {
    listens: ['Oh gitu ya.', 'Siap.', 'Paham.'],
    answers: ['Iya, Bu.', 'Gak.', 'Boleh.'],
    parts: ['Sama-sama.', 'Baik Pak, terima kasih.', 'Mari, Mbak.'],
    stops: ['Tunggu.', 'Tidak.', 'Pak!', 'Halo.'],
  },
  vi: {
    listens: ['Dạ vâng ạ.', 'Đồng ý.', 'Hiểu rồi ạ.'],
    answers: ['Vâng ạ.', 'Đồng ý.'],
    parts: ['Hẹn gặp lại.', 'Chúc anh một ngày tốt lành.', 'Chào cô nhé.'],
    stops: ['Khoan đã.', 'Không.', 'A lô.'],
  },
  ja: {
    listens: ['あ、はい。', 'へー、そうなんですね。', '分かりました。', 'はあ。'],
    answers: ['いえ。', '分かりました。', 'あ、はい、お願いします。'],
    parts: [
      'どういたしまして。',
      'お疲れ様でした。',
      'よろしくお願いいたします、失礼します。',
      'いえいえ、こちらこそ。',
    ],
    stops: ['待って。', 'いいえ。', 'もしもし。', 'え？'],
  },
  ko: {
    listens: ['네네.', '그렇구나.', '맞습니다.', '넵, 알았어요.'],
    answers: ['네네.', '아닙니다.', '좋아요.'],
    parts: ['좋은 하루 보내세요.', '천만에요.', '네, 수고하십시오.', '다음에 뵙겠습니다.'],
    stops: ['잠깐만요.', '아니요.', '여보세요.'],
  },
  zh: {
    listens: ['好吧。', '没错。', '嗯嗯，收到。'],
    answers: ['不用了。', '没问题，谢谢。', '当然。'],
    parts: ['不客气，再见。', '没事。', '祝您愉快。', '您也是。', '晚安。'],
    stops: ['等一下。', '不。', '喂。', '我也是。'],
  },
  'zh-TW': {
    listens: ['好喔。', '沒錯。', '對啊。'],
    answers: ['不用了，謝謝。', '沒問題。'],
    parts: ['掰掰。', '不客氣，再見。', '沒事。', '您也是。'],
    stops: ['等一下。', '不。', '喂。'],
  },
};
