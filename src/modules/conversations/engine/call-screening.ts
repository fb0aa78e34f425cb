import type { Floor } from './interruption-policy.js';
import type { ScreeningStep } from './conversation-recorder.js';
import type { HistoryEntry } from './earlier-conversation.js';
import type { Cue } from './turn-queue.js';

/** Name of the entries among a call's turns that tell what call screening did. */
export const CALL_SCREENING = 'call_screening';

/** What an utterance means in a call that is screened; `holds`: the caller has to wait. */
export type ScreeningCue = ScreeningStep | 'holds';

interface ScreeningPhrases {
  /** Name and reason in one breath. */
  asks: RegExp;
  holds: RegExp;
  declines: RegExp;
  /** A mailbox may ask for name and reason, too. */
  mailbox: RegExp;
}

const ENGLISH: ScreeningPhrases = {
  asks: /\bname\b.{0,60}\b(?:reason|why|purpose)\b|\b(?:reason|why|purpose)\b.{0,40}\bname\b|\b(?:call )?screening (?:service|assistant)|\bscreening (?:this|your|the|my) call/,
  holds:
    /stay on the line|hold the line|please (?:hold|wait)|hold on|(?:one|a) (?:moment|second)|(?:see|check|checking) if|connect(?:ing)? you|trying to reach/,
  declines: /not available|unavailable|(?:can't|cannot|can not) (?:take|answer|come)|not able to/,
  mailbox: /voice ?mail|mailbox|after the (?:tone|beep|signal)|leave .{0,30}message|(?:call|get back to) you/,
};

const PHRASES: Record<string, ScreeningPhrases> = {
  en: ENGLISH,
  de: {
    asks: /namen?.{0,60}(?:grund|anliegen|warum|weshalb|zweck)|(?:grund|anliegen|warum).{0,40}namen?/,
    holds: /dran|in der leitung|am apparat|(?:moment|augenblick)|warten|prüfe|schaue|verbinde|nachsehen/,
    declines: /nicht (?:erreichbar|verfügbar|entgegen)|steht nicht zur verfügung/,
    mailbox: /mailbox|anrufbeantworter|signalton|piep|nach dem ton|nachricht|rufe? (?:sie|dich) zurück/,
  },
  es: {
    asks: /nombre.{0,60}(?:motivo|razón|por qué)|(?:motivo|razón|por qué).{0,40}nombre/,
    holds: /no cuelgue|en línea|un momento|espere|comprobar|le paso/,
    declines: /no está disponible|no puede (?:atender|contestar|ponerse)/,
    mailbox: /buzón|después de (?:la señal|oír)|tras la señal|mensaje/,
  },
  fr: {
    asks: /nom.{0,60}(?:motif|raison|pourquoi|objet)|(?:motif|raison|pourquoi).{0,40}nom/,
    holds: /ne quittez pas|en ligne|un instant|un moment|patienter|patientez|vérifie/,
    declines: /pas disponible|indisponible|ne peut pas (?:répondre|prendre)/,
    mailbox: /messagerie|répondeur|bip|signal sonore|message/,
  },
  it: {
    asks: /nome.{0,60}(?:motivo|ragione|perché)|(?:motivo|ragione|perché).{0,40}nome/,
    holds: /in linea|un momento|un attimo|attenda|attendere|verifico/,
    declines: /non è disponibile|non può (?:rispondere|parlare)/,
    mailbox: /segreteria|segnale|messaggio/,
  },
  pt: {
    asks: /nome.{0,60}(?:motivo|razão|por ?qu[eê]|assunto)|(?:motivo|razão|assunto).{0,40}nome/,
    holds: /na linha|não desligue|aguarde|um momento|verificar/,
    declines: /não está disponível|não pode (?:atender|falar)/,
    mailbox: /caixa postal|correio de voz|após o sinal|mensagem/,
  },
  nl: {
    asks: /naam.{0,60}(?:reden|waarom)|(?:reden|waarom).{0,40}naam/,
    holds: /aan de lijn|een (?:moment|ogenblik)|wacht|kijk of|verbind/,
    declines: /niet (?:beschikbaar|bereikbaar)|kan niet (?:opnemen|aannemen)/,
    mailbox: /voicemail|na de (?:piep|toon)|bericht/,
  },
  pl: {
    asks: /(?:imię|nazwisk|nazwę).{0,60}(?:powód|cel|dlaczego|sprawie)|(?:powód|cel|sprawie).{0,40}(?:imię|nazwisk)/,
    holds: /proszę (?:czekać|zaczekać|się nie rozłączać)|chwil|sprawdz|łączę/,
    declines: /nie jest dostępn|niedostępn|nie może (?:odebrać|rozmawiać)/,
    mailbox: /poczt|sygnał|wiadomość/,
  },
};

/** How long call screening may take to reach the person, without a word. */
export const SCREENING_MS = 45_000;
/** Later than this many utterances nobody who answers is a screening. */
const MAX_UTTERANCES_BEFORE = 3;

/** Recognises by its words an assistant of the telephone that asks who calls before a person comes to the phone. */
export class CallScreening {
  private state: 'possible' | 'waiting' | 'over';
  private utterances = 0;
  private isNew = false;

  constructor(isPossible: boolean, history: readonly HistoryEntry[]) {
    const last = history.findLast((entry) => entry.role === 'tool' && entry.name === CALL_SCREENING);
    const step = last?.role === 'tool' ? last.arguments['step'] : undefined;
    if (step !== undefined) this.state = step === 'asked' ? 'waiting' : 'over';
    else this.state = isPossible ? 'possible' : 'over';
  }

  /** Whether the person has to be told, once, what the screening may have heard. */
  takeNewPerson(): boolean {
    const { isNew } = this;
    this.isNew = false;
    return isNew;
  }

  /** @param language BCP 47. @returns null: the call is not screened, or not any more */
  hear(text: string, language: string): ScreeningCue | null {
    if (this.state === 'over') return null;
    const own = PHRASES[language.slice(0, 2).toLowerCase()] ?? ENGLISH;
    const said = text.toLowerCase().replaceAll('’', "'");
    const means = (kind: keyof ScreeningPhrases): boolean => own[kind].test(said) || ENGLISH[kind].test(said);
    if (means('asks') && !means('mailbox')) {
      this.state = 'waiting';
      return 'asked';
    }
    if (this.state === 'possible') {
      if (++this.utterances >= MAX_UTTERANCES_BEFORE) this.state = 'over';
      return null;
    }
    if (means('holds')) return 'holds';
    this.state = 'over';
    if (means('declines') || means('mailbox')) return 'declined';
    this.isNew = true;
    return 'connected';
  }

  /** The turn that follows an utterance. */
  turnAfter(cue: ScreeningCue | null): Cue {
    return cue === 'asked' ? 'screened' : cue === 'connected' ? 'connected' : 'answer';
  }
}

/** A screening is always answered, and what only asks for patience or declines never is. */
export const screenedFloor = (cue: ScreeningCue, decision: Floor): Floor => {
  if (cue === 'holds' || cue === 'declined') return 'ignore';
  return decision === 'ignore' ? 'wait' : decision;
};
