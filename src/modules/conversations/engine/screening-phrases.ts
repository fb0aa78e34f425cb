/** Phrases of call screening and mailboxes in a language, in lower case. */
export interface ScreeningPhrases {
  /** Asks for name and reason in one utterance. */
  asks: RegExp;
  /** A person who asks the same: machines demand, people ask, and speak of themselves. */
  person: RegExp;
  /** Asks for the name. Mailboxes do so, too: it is screening only with `connects` in the same utterance. */
  asksName: RegExp;
  /** Announces that the person is asked or the call connected. Mailboxes say "You are connected with …". */
  connects: RegExp;
  holds: RegExp;
  declines: RegExp;
  /** A mailbox, which may ask for name and reason, too. */
  mailbox: RegExp;
  /** Announces a recording after the tone, of a mailbox or, for a name only, of screening. */
  tone: RegExp;
  /** Announces the owner of the line without a question. Companies do so, too, with a question after it. */
  reached: RegExp;
}

export const ENGLISH_SCREENING_PHRASES: ScreeningPhrases = {
  asks: /\bname\b.{0,60}\b(?:reason|why|purpose)\b|\b(?:reason|why|purpose)\b.{0,40}\bname\b|\b(?:call )?screening (?:service|assistant)|\bscreening (?:this|your|the|my) call/,
  person:
    /\bcall(?:ing|ed)? me\b|\bwhat(?:'s| is| was)\b|\bwho(?:'s| is| are)\b|why (?:are|were|do|did) you\b/,
  asksName: /\b(?:say|state|record|give|tell)\b.{0,20}\byour (?:full |first )?name\b/,
  connects:
    /(?:if|whether) .{0,30}\b(?:available|free)|connect(?:ing)? (?:you|your|this|the) ?|try(?:ing)? to (?:reach|connect|find|locate)|put(?:ting)? you through|transfer(?:ring)? (?:you|your)|(?:hold|stay on) the line|please hold|let (?:them|him|her) know/,
  holds:
    /stay on the line|hold the line|please (?:hold|wait)|hold on|(?:one|a) (?:moment|second)|(?:see|check|checking) if|connect(?:ing)? you|trying to reach/,
  declines: /not available|unavailable|(?:can't|cannot|can not) (?:take|answer|come)|not able to/,
  mailbox: /voice ?mail|mailbox|leave .{0,30}message|(?:call|get back to) you/,
  tone: /(?:after|at) the (?:tone|beep|signal)/,
  reached:
    /you(?:'ve| have) reached (?!.*\?)|(?:number|person|customer|subscriber) (?:that )?you (?:are calling|have dialled|have called|dialed|called)(?!.*\?)/,
};

export const SCREENING_PHRASES: Record<string, ScreeningPhrases> = {
  en: ENGLISH_SCREENING_PHRASES,
  de: {
    asks: /namen?.{0,60}(?:grund|anliegen|warum|weshalb|zweck)|(?:grund|anliegen|warum).{0,40}namen?/,
    person: /\bmich\b|\bwie (?:war|ist|hei(?:ß|ss)|lautet)|\bwer\b|(?:warum|weshalb|wieso) ruf/,
    asksName: /(?:nenn|sag|sprech|sprich|gib|geben).{0,40}namen|namen? .{0,20}(?:nennen|sagen|angeben)/,
    connects:
      /ob .{0,40}(?:verfügbar|erreichbar|da ist|zeit hat)|verbinde|durch(?:zu)?stell|stelle .{0,20}durch|versuche.{0,40}erreichen|bleib.{0,15}(?:dran|in der leitung|am apparat)/,
    holds: /dran|in der leitung|am apparat|(?:moment|augenblick)|warten|prüfe|schaue|verbinde|nachsehen/,
    declines: /nicht (?:erreichbar|verfügbar|entgegen)|steht nicht zur verfügung/,
    mailbox: /mailbox|anrufbeantworter|nachricht|rufen? (?:sie|dich) .{0,30}zurück|zurückrufen/,
    tone: /signalton|piep|nach dem (?:ton|signal)/,
    reached:
      /(?:sie haben|das ist) (?:den|der|die) (?:.{0,20})?(?:anschluss|nummer)(?!.*\?)|gewählte.{0,12}(?:teilnehmer|nummer|gesprächspartner)/,
  },
  es: {
    asks: /nombre.{0,60}(?:motivo|razón|por qué)|(?:motivo|razón|por qué).{0,40}nombre/,
    person: /\bme llam|\bcuál\b|cómo (?:se|te) llama|quién (?:es|eres|habla|llama)/,
    asksName: /(?:diga|dígame|di|indique|grabe|dé|facilite).{0,20}nombre/,
    connects:
      /si .{0,40}disponible|comunicar(?:le|lo|la|emos)|conectar|le (?:paso|pasamos|pondré|comunico)|(?:intent|trat).{0,20}(?:contactar|localizar)|no cuelgue|en línea/,
    holds: /no cuelgue|en línea|un momento|espere|comprobar|le paso/,
    declines: /no está disponible|no puede (?:atender|contestar|ponerse)/,
    mailbox: /buzón|mensaje|devolver|le llamar/,
    tone: /después de (?:la señal|oír|el tono)|tras (?:la señal|el tono)/,
    reached: /(?:ha|has) llamado a(?!.*\?)|número (?:al que|que) (?:llama|ha llamado|ha marcado)/,
  },
  fr: {
    asks: /nom.{0,60}(?:motif|raison|pourquoi|objet)|(?:motif|raison|pourquoi).{0,40}nom/,
    person: /\bm'appel|\bquel(?:le)? (?:est|était)|c'est quoi|\bqui (?:est|êtes|es)\b|pourquoi appel/,
    asksName: /(?:dites|dire|indique[rz]|donne[rz]|énonce[rz]|enregistre[rz]|prononce[rz]).{0,20}\bnom\b/,
    connects:
      /si .{0,40}disponible|mett(?:re|ons|s) en (?:relation|communication|contact)|ess(?:ayons|aie|ayer).{0,20}joindre|transf[éè]r|vous (?:le |la )?passe|ne quittez pas|en ligne/,
    holds: /ne quittez pas|en ligne|un instant|un moment|patienter|patientez|vérifie/,
    declines: /pas disponible|indisponible|ne peut pas (?:répondre|prendre)/,
    mailbox: /messagerie|répondeur|message|\brappel/,
    tone: /\bbip\b|signal sonore|après le signal/,
    reached: /vous êtes bien (?:chez|sur|au)(?!.*\?)|votre correspondant/,
  },
  it: {
    asks: /nome.{0,60}(?:motivo|ragione|perché)|(?:motivo|ragione|perché).{0,40}nome/,
    person: /\bmi (?:chiam|telefon)|\bquale? (?:è|era)|come si chiama|\bchi (?:è|parla|sei)/,
    asksName: /(?:dica|dire|indichi|indicare|registri|pronunci).{0,20}nome/,
    connects:
      /se .{0,40}disponibile|colleg(?:o|her|hiamo|are)|mett(?:o|ere|iamo|erla) in (?:contatto|comunicazione)|(?:prov|cerc|tent).{0,20}(?:contattare|raggiungere)|glielo passo|le passo|in linea|attenda|attendere/,
    holds: /in linea|un momento|un attimo|attenda|attendere|verifico/,
    declines: /non è disponibile|non può (?:rispondere|parlare)/,
    mailbox: /segreteria|messaggio|richiam/,
    tone: /segnale/,
    reached:
      /(?:ha|hai|avete) chiamato(?!.*\?)|(?:cliente|utente|numero) (?:da lei )?(?:chiamato|selezionato)/,
  },
  pt: {
    asks: /nome.{0,60}(?:motivo|razão|por ?qu[eê]|assunto)|(?:motivo|razão|assunto).{0,40}nome/,
    person: /\bme (?:lig|telefon)|\bqual (?:é|era|foi)|como (?:se|você se) chama|\bquem (?:é|fala|está)/,
    asksName: /(?:diga|dizer|informe|grave|indique|fale).{0,20}nome/,
    connects:
      /se .{0,40}disponível|conectar|transferir|passar a (?:chamada|ligação)|(?:tent).{0,20}(?:contactar|contatar|localizar)|colocar em contato|aguarde|não desligue|na linha/,
    holds: /na linha|não desligue|aguarde|um momento|verificar/,
    declines: /não está disponível|não pode (?:atender|falar)/,
    mailbox: /caixa postal|correio de voz|mensagem|retorn/,
    tone: /após o sinal|depois do sinal/,
    reached:
      /(?:você|voce) ligou para(?!.*\?)|ligou para o (?:telefone|número)|número (?:que|para o qual) ligou/,
  },
  nl: {
    asks: /naam.{0,60}(?:reden|waarom)|(?:reden|waarom).{0,40}naam/,
    person: /\bwat (?:is|was)\b|\bwie (?:is|ben|bent|spreek)\b|waarom bel/,
    asksName: /(?:zeg|noem|spreek|geef|vermeld).{0,25}naam/,
    connects:
      /of .{0,40}(?:beschikbaar|bereikbaar)|verbind|doorschakel|prob(?:eer|eren).{0,40}bereiken|blijf.{0,15}aan de lijn/,
    holds: /aan de lijn|een (?:moment|ogenblik)|wacht|kijk of|verbind/,
    declines: /niet (?:beschikbaar|bereikbaar)|kan niet (?:opnemen|aannemen)/,
    mailbox: /voicemail|bericht|bel.{0,15}terug/,
    tone: /na de (?:piep|toon)/,
    reached: /(?:u bent|je bent) verbonden met(?!.*\?)|(?:nummer|persoon) die u (?:belt|heeft gebeld)/,
  },
  pl: {
    asks: /(?:imię|nazwisk|nazwę).{0,60}(?:powód|cel|dlaczego|sprawie)|(?:powód|cel|sprawie).{0,40}(?:imię|nazwisk)/,
    person: /\bmnie\b|\bjak(?:ie|i|a)? (?:jest|było|był|się|ma)|\bkto\b/,
    asksName: /przedstaw|(?:poda|powie|nagra).{0,30}(?:imię|nazwisk)/,
    connects:
      /czy .{0,40}(?:dostępn|może)|połącz(?:ę|ymy|yć)|łączę|łączymy|przełącz|prób.{0,20}skontaktować|proszę (?:czekać|zaczekać)|nie rozłączać/,
    holds: /proszę (?:czekać|zaczekać|się nie rozłączać)|chwil|sprawdz|łączę/,
    declines: /nie jest dostępn|niedostępn|nie może (?:odebrać|rozmawiać)/,
    mailbox: /poczt|wiadomość|oddzwoni/,
    tone: /sygna/,
    reached: /dodzwoniłeś się|dodzwonili się|abonent/,
  },
};

/** Whether a text is from a mailbox, in any of the languages. */
export const isMailboxText = (text: string): boolean => {
  const normalized = text.toLowerCase();
  return Object.values(SCREENING_PHRASES).some(
    ({ mailbox, tone }) => mailbox.test(normalized) || tone.test(normalized),
  );
};

/** The same, or a text that only announces the owner of the line. */
export const isRecordedText = (text: string): boolean => {
  const normalized = text.toLowerCase().replaceAll('’', "'");
  return (
    isMailboxText(text) || Object.values(SCREENING_PHRASES).some(({ reached }) => reached.test(normalized))
  );
};
