import type { LanguagePack } from './language-pack.js';

/** Turkish. */
export const tr: LanguagePack = {
  disclosure: { ai: 'Otomatik bir asistanla görüşüyorsunuz.', recording: 'Bu görüşme kaydedilmektedir.' },
  phrases: {
    goodbye: 'Zaman ayırdığınız için teşekkür ederim. Hoşça kalın.',
    timeLimit: 'Şimdi görüşmeyi sonlandırmam gerekiyor. Zaman ayırdığınız için teşekkür ederim, hoşça kalın.',
    askToRepeat: 'Özür dilerim, bende bir sorun oluştu. Tekrar söyler misiniz lütfen?',
    interrupted: 'Özür dilerim, az önce teknik bir sorun yaşadım. Devam edeyim mi?',
    unfinished: 'Özür dilerim, bu yanıtı tamamlayamıyorum. Size başka nasıl yardımcı olabilirim?',
    technicalProblem: 'Üzgünüm, teknik bir sorun var ve görüşmeyi sonlandırmam gerekiyor. Hoşça kalın.',
    suppressed: 'Anlıyorum. Bir daha aranmayacaksınız. Hoşça kalın.',
    silence: 'Hiçbir şey duyamıyorum, bu yüzden görüşmeyi sonlandırıyorum. Hoşça kalın.',
    waiting: ['Bir saniye lütfen.', 'Hâlâ üzerinde çalışıyorum.', 'Biraz daha sürecek.'],
  },
  transfer: {
    connecting: 'Sizi şimdi bağlıyorum. Bir saniye lütfen.',
    unreached: 'Üzgünüm, kimseye ulaşılamadı. Size başka nasıl yardımcı olabilirim?',
  },
  busy: 'Şu anda tüm hatlarımız meşgul. Lütfen daha sonra tekrar arayın. Hoşça kalın.',
  listening: 'hı hıhı hmm hm mm aha ha he ah anladım anlıyorum iyi ki ok',
  okay: 'tamam peki okey doğru aynen kesinlikle',
  yes: 'evet tabii tabi elbette olur',
  no: 'hayır yok',
  not: 'değil',
  farewell: {
    parting: 'hoşça hoşçakalın görüşürüz teşekkürler teşekkür sağolun sağol sağ güle',
    wishes: 'günler akşamlar geceler çalışmalar size sana bakın rica',
    others:
      'kalın kal ederim ediyorum çok iyi da de ben ve tamam evet peki yardımınız için kendinize ol olun',
  },
  screening: {
    asks: /(?:adınız|isminiz|adını|ismini|isim).{0,60}(?:neden|niçin|sebe|amac|konu)|(?:neden|niçin|sebe|amac).{0,40}(?:adınız|isminiz|adını|ismini)/,
    person: /\bbeni\b|kimsiniz|kiminle|adınız ne|isminiz ne|neden arıyorsunuz/,
    asksName: /(?:adınızı|isminizi).{0,25}(?:söyle|belirt|kaydedin|bırak)/,
    connects:
      /(?:müsait|uygun) olup olmadığı|bağlıyorum|bağlayacağım|ulaşmaya çalış|hatta (?:kalın|bekleyin)|aktarıyorum/,
    holds: /bekleyin|bir (?:dakika|saniye)|hatta (?:kalın|kal)|kontrol ed|bağlıyorum/,
    declines: /(?:müsait|uygun) değil|ulaşılam|cevap veremiyor/,
    mailbox:
      /mesaj.{0,20}bırak(?:ın|abilirsiniz)|(?:telesekreter[^ ]*|sesli mesaj[^ ]*) (?:yönlendiril|bağlan|aktarıl)/,
    callsBack: /(?:sizi|seni) .{0,20}(?:arayaca|ararım|ararız)/,
    tone: /(?:sinyal|bip|ton).{0,12}sonra/,
    reached: /(?:numarasını|hattını) aradınız(?!.*\?)|aradığınız (?:kişi|numara|abone)/,
  },
  numbers: { currencies: { TRY: ['lira', 'lira'] } },
};
