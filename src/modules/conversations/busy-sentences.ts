const ENGLISH = 'All our lines are busy at the moment. Please call again later. Goodbye.';

/** Without the cause: a full plan or a low balance. */
const BUSY_SENTENCES = new Map([
  ['en', ENGLISH],
  ['de', 'Zurzeit sind alle Leitungen belegt. Bitte rufen Sie später noch einmal an. Auf Wiederhören.'],
  ['es', 'En este momento todas nuestras líneas están ocupadas. Por favor, llame más tarde. Adiós.'],
  ['fr', 'Toutes nos lignes sont occupées. Veuillez rappeler plus tard, s’il vous plaît. Au revoir.'],
  ['it', 'Tutte le linee sono occupate. La preghiamo di richiamare più tardi. Arrivederci.'],
  ['pt', 'De momento todas as linhas estão ocupadas. Por favor, ligue mais tarde. Adeus.'],
  ['nl', 'Al onze lijnen zijn op dit moment bezet. Belt u later nog eens terug. Tot ziens.'],
  ['pl', 'W tej chwili wszystkie linie są zajęte. Proszę zadzwonić później. Do widzenia.'],
]);

/** By the language part of a BCP 47 tag; English for languages without built-in phrases. */
export const busySentence = (language: string): string =>
  BUSY_SENTENCES.get(language.slice(0, 2).toLowerCase()) ?? ENGLISH;
