import type { LanguagePack } from './language-pack.js';

/** Indonesian. */
export const id: LanguagePack = {
  disclosure: { ai: 'Anda berbicara dengan asisten otomatis.', recording: 'Panggilan ini direkam.' },
  phrases: {
    goodbye: 'Terima kasih atas waktu Anda. Sampai jumpa.',
    timeLimit: 'Saya harus mengakhiri panggilan sekarang. Terima kasih atas waktu Anda, sampai jumpa.',
    askToRepeat: 'Maaf, ada masalah di pihak saya. Bisakah Anda mengulanginya?',
    interrupted: 'Maaf, baru saja ada masalah teknis. Boleh saya lanjutkan?',
    unfinished: 'Maaf, saya tidak dapat menyelesaikan jawaban itu. Ada lagi yang bisa saya bantu?',
    technicalProblem: 'Mohon maaf, ada masalah teknis dan saya harus mengakhiri panggilan. Sampai jumpa.',
    suppressed: 'Saya mengerti. Anda tidak akan dihubungi lagi. Sampai jumpa.',
    silence: 'Saya tidak mendengar apa-apa, jadi panggilan ini saya akhiri. Sampai jumpa.',
    waiting: ['Mohon tunggu sebentar.', 'Masih saya proses.', 'Ini perlu sedikit waktu lagi.'],
  },
  transfer: {
    connecting: 'Saya sambungkan sekarang. Mohon tunggu sebentar.',
    unreached: 'Mohon maaf, tidak ada yang bisa dihubungi. Ada lagi yang bisa saya bantu?',
  },
  busy: 'Semua saluran kami sedang sibuk. Silakan hubungi kembali nanti. Sampai jumpa.',
  listening: 'hm hmm mm mmm mhm oh ah okay ok begitu gitu paham sip',
  okay: 'oke baik siap boleh',
  yes: 'ya iya betul benar tentu',
  no: 'tidak nggak enggak gak ngga bukan',
  farewell: {
    parting: 'jumpa dah dadah bye kasih makasih mari',
    wishes: 'tinggal sama',
    others:
      'sampai terima banyak ya iya pagi siang sore malam juga kembali pak bu bapak ibu mas mbak kak untuk atas bantuan bantuannya ' +
      'oke ok baik nanti lagi selamat',
  },
  screening: {
    asks: /nama.{0,60}(?:alasan|tujuan|keperluan|mengapa|kenapa)|(?:alasan|tujuan|keperluan|mengapa|kenapa).{0,40}nama/,
    person:
      /\b(?:menelepon|menghubungi|telepon) saya\b|\bsiapa\b|nama (?:anda|kamu|tadi) (?:siapa|apa)|(?:kenapa|mengapa) (?:anda|kamu)? ?(?:menelepon|telepon)/,
    asksName: /(?:sebutkan|ucapkan|katakan|rekam).{0,20}nama/,
    connects:
      /apakah .{0,40}(?:tersedia|ada di tempat)|menyambungkan|sambungkan|mencoba.{0,30}menghubungi|tetap.{0,10}(?:di telepon|terhubung|online)|jangan (?:tutup|menutup)/,
    holds: /tunggu|sebentar|sesaat|periksa|sambungkan|jangan (?:tutup|menutup)/,
    declines: /tidak (?:tersedia|ada di tempat|dapat menjawab|bisa menjawab)/,
    mailbox:
      /(?:^|[.,!] |silakan |mohon |harap )tinggalkan .{0,20}pesan|(?:dialihkan|terhubung|tersambung) ke .{0,15}(?:kotak suara|pesan suara)/,
    callsBack: /(?:menghubungi|menelepon|hubungi|telepon) (?:anda|kamu)? ?kembali/,
    tone: /setelah (?:bunyi|nada|terdengar|bip)/,
    reached: /anda (?:telah )?(?:menghubungi|menelepon)(?!.*\?)|nomor yang anda (?:tuju|hubungi|putar)/,
  },
  numbers: { to: 'sampai' },
};
