import type { LanguagePack } from './language-pack.js';

/** Italian. */
export const it: LanguagePack = {
  disclosure: {
    ai: 'Sta parlando con un assistente automatico.',
    recording: 'Questa chiamata viene registrata.',
  },
  phrases: {
    goodbye: 'Grazie per il suo tempo. Arrivederci.',
    timeLimit: 'Devo terminare la chiamata. Grazie per il suo tempo, arrivederci.',
    askToRepeat: 'Mi scusi, ho avuto un problema. Potrebbe dirlo di nuovo, per favore?',
    interrupted: 'Mi scusi, ho appena avuto un problema tecnico. Continuo?',
    unfinished: 'Mi scusi, non posso finire questa risposta. Che cos’altro posso fare per lei?',
    technicalProblem: 'Mi dispiace, ho un problema tecnico e devo terminare la chiamata. Arrivederci.',
    suppressed: 'Ho capito. Non la chiameremo più. Arrivederci.',
    silence: 'Non sento nulla, quindi termino la chiamata. Arrivederci.',
    waiting: ['Un momento, per favore.', 'Ci sto ancora lavorando.', 'Ci vuole ancora un po’.'],
  },
  transfer: {
    connecting: 'Trasferisco subito la chiamata. Un momento, per favore.',
    unreached: 'Mi dispiace, non risponde nessuno. Come posso aiutarla altrimenti?',
  },
  busy: 'Tutte le linee sono occupate. La preghiamo di richiamare più tardi. Arrivederci.',
  listening: 'mm mmm mhm hm ah aha okay ok si va d eh ecco infatti ho capito capisco',
  okay: 'bene accordo esatto esattamente perfetto giusto',
  yes: 'sì certo certamente',
  no: 'no',
  not: 'non',
  farewell: {
    parting: 'arrivederci arrivederla grazie prego ciao addio',
    wishes: 'giornata serata altrettanto anche presto sentiamo niente',
    others:
      'mille molte tante buon buona buongiorno buonasera a lei te e ci di per il suo tuo aiuto tempo sì va ' +
      'bene ok fine settimana',
  },
  screening: {
    asks: /nome.{0,60}(?:motivo|ragione|perché)|(?:motivo|ragione|perché).{0,40}nome/,
    person: /\bmi (?:chiam|telefon)|\bquale? (?:è|era)|come si chiama|\bchi (?:è|parla|sei)/,
    asksName: /(?:dica|dire|indichi|indicare|registri|pronunci).{0,20}nome/,
    connects:
      /se .{0,40}disponibile|colleg(?:o|her|hiamo|are)|mett(?:o|ere|iamo|erla) in (?:contatto|comunicazione)|(?:prov|cerc|tent).{0,20}(?:contattare|raggiungere)|glielo passo|le passo|in linea|attenda|attendere/,
    holds: /in linea|un momento|un attimo|attenda|attendere|verifico/,
    declines: /non è (?:disponibile|raggiungibile)|non può (?:rispondere|parlare)/,
    mailbox:
      /(?<!\b(?:mi|le|gli|ti|ci|non|se|che) )\b(?:lasci(?:a|ate|ami|ateci|atemi)?|registr(?:i|a|ate)) [^.?!]{0,25}messaggio|(?:risponde|questa è|sono la|trasferit[oa] alla|collegat[oa] alla) [^.?!]{0,15}segreteria telefonica/,
    callsBack: /richiam/,
    tone: /dopo il (?:segnale|bip|beep|tono)|al segnale|segnale acustico/,
    reached:
      /(?:ha|hai|avete) chiamato(?!.*\?)|(?:cliente|utente|numero) (?:da lei )?(?:chiamato|selezionato)/,
  },
  numbers: {
    to: 'a',
    ofMillions: (name) => `di ${name}`,
    currencies: { EUR: ['euro', 'euro'], USD: ['dollaro', 'dollari'], GBP: ['sterlina', 'sterline'] },
  },
};
