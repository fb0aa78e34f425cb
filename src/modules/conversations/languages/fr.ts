import { changePack, spokenHours, type LanguagePack, withElidedDe } from './language-pack.js';

/** French. */
export const fr: LanguagePack = {
  disclosure: { ai: 'Vous parlez avec un assistant automatique.', recording: 'Cet appel est enregistré.' },
  phrases: {
    goodbye: 'Merci pour votre temps. Au revoir.',
    timeLimit: 'Je dois mettre fin à l’appel. Merci pour votre temps, au revoir.',
    askToRepeat: 'Excusez-moi, j’ai eu un problème. Pourriez-vous le redire, s’il vous plaît ?',
    interrupted: 'Excusez-moi, je viens d’avoir un problème technique. Dois-je continuer ?',
    unfinished: 'Excusez-moi, je ne peux pas terminer cette réponse. Que puis-je faire d’autre pour vous ?',
    technicalProblem:
      'Malheureusement, j’ai un problème technique et je dois mettre fin à l’appel. Au revoir.',
    suppressed: 'C’est entendu. Nous ne vous appellerons plus. Au revoir.',
    silence: 'Je n’entends rien, je vais donc mettre fin à l’appel. Au revoir.',
    waiting: ['Un instant, s’il vous plaît.', 'Je m’en occupe encore.', 'Cela prend encore un peu de temps.'],
  },
  transfer: {
    connecting: 'Je vous mets en relation. Un instant, s’il vous plaît.',
    unreached: 'Malheureusement, personne n’est joignable. Comment puis-je vous aider autrement ?',
  },
  busy: 'Toutes nos lignes sont occupées. Veuillez rappeler plus tard. Au revoir.',
  listening: 'mm mmm mhm hm hum ah okay ok si d ben bien très voilà tout à fait effectivement',
  okay: 'daccord accord exactement parfait entendu absolument',
  yes: 'oui ouais ouaip',
  no: 'non nan',
  not: 'pas',
  farewell: {
    parting: 'revoir merci bientôt salut adieu ciao',
    wishes: 'journée soirée nuit aussi même également pareillement prie rien plaisir continuation',
    others:
      'au à a beaucoup bien bon bonne belle excellente vous toi je en de et avec fin après midi pour votre ' +
      'aide oui d accord très ok',
  },
  screening: {
    asks: /nom.{0,60}(?:motif|raison|pourquoi|objet)|(?:motif|raison|pourquoi).{0,40}nom/,
    person: /\bm'appel|\bquel(?:le)? (?:est|était)|c'est quoi|\bqui (?:est|êtes|es)\b|pourquoi appel/,
    asksName: /(?:dites|dire|indique[rz]|donne[rz]|énonce[rz]|enregistre[rz]|prononce[rz]).{0,20}\bnom\b/,
    connects:
      /si .{0,40}disponible|mett(?:re|ons|s) en (?:relation|communication|contact)|ess(?:ayons|aie|ayer).{0,20}joindre|transf[éè]r|vous (?:le |la )?passe|ne quittez pas|en ligne/,
    holds: /ne quittez pas|en ligne|un instant|un moment|patienter|patientez|vérifie/,
    declines: /pas disponible|indisponible|ne peut pas (?:répondre|prendre)/,
    mailbox:
      /(?<!\b(?:ne|je|j'ai|il|elle|tu|on|vous|me|nous|lui) )\blaiss(?:ez|e)(?:-(?:moi|nous))? [^.?!]{0,25}(?:message|coordonnées)|(?:veuillez|merci de|pas à|invitons à|prions de) (?:me |nous )?laisser [^.?!]{0,25}message|(?:vous êtes|bienvenue|vous avez (?:bien )?joint|transféré|dirigé)[^.?!]{0,30}(?:messagerie|répondeur|boîte vocale)|c'est (?:bien )?(?:le répondeur|la messagerie)|\bla (?:messagerie|boîte vocale) [^.?!]{0,25}pleine/,
    callsBack: /\brappel/,
    tone: /(?:après|au) (?:le |son du )?(?:bip|signal|timbre)\b|après la tonalité|signal sonore/,
    reached:
      /vous êtes bien (?:chez|sur|au)(?!.*\?)|votre correspondant|que vous (?:essayez|tentez) de joindre|numéro que vous avez composé/,
  },
  numbers: {
    to: 'à',
    ofMillions: withElidedDe,
    currencies: {
      EUR: ['euro', 'euros'],
      USD: ['dollar', 'dollars'],
      CAD: ['dollar', 'dollars'],
      GBP: ['livre', 'livres'],
    },
    time: spokenHours('heures', 'heure'),
  },
};

export const frCA = changePack(fr, {
  listening: `${fr.listening} correct`,
  yes: `${fr.yes} ouin`,
  phrases: {
    askToRepeat: 'Pardon, j’ai eu un problème. Pourriez-vous répéter, s’il vous plaît ?',
    waiting: ['Un moment, s’il vous plaît.', 'Je m’en occupe encore.', 'Ça prend encore un peu de temps.'],
  },
  transfer: { connecting: 'Je vous transfère. Un moment, s’il vous plaît.' },
  farewell: {
    parting: `${fr.farewell.parting} bye`,
    wishes: `${fr.farewell.wishes} semaine bienvenue`,
    others: `${fr.farewell.others} bonjour`,
  },
});
