import { changePack, type LanguagePack } from './language-pack.js';

/** Spanish. */
export const es: LanguagePack = {
  disclosure: {
    ai: 'Está hablando con un asistente automático.',
    recording: 'Esta llamada se está grabando.',
  },
  phrases: {
    goodbye: 'Gracias por su tiempo. Adiós.',
    timeLimit: 'Tengo que terminar la llamada. Gracias por su tiempo, adiós.',
    askToRepeat: 'Perdone, he tenido un problema. ¿Podría decirlo otra vez, por favor?',
    interrupted: 'Perdone, acabo de tener un problema técnico. ¿Sigo?',
    unfinished: 'Perdone, no puedo terminar esa respuesta. ¿Qué más puedo hacer por usted?',
    technicalProblem: 'Lo siento, tengo un problema técnico y debo terminar la llamada. Adiós.',
    suppressed: 'Entendido. No le volveremos a llamar. Adiós.',
    silence: 'No oigo nada, así que voy a terminar la llamada. Adiós.',
    waiting: ['Un momento, por favor.', 'Sigo en ello.', 'Tardará un poco más.'],
  },
  transfer: {
    connecting: 'Le paso ahora. Un momento, por favor.',
    unreached: 'Lo siento, no he podido localizar a nadie. ¿En qué más puedo ayudarle?',
  },
  busy: 'En este momento todas nuestras líneas están ocupadas. Por favor, llame más tarde. Adiós.',
  listening: 'mm mmm mhm hm ajá aja ah ya okay ok si muy bien así es de por entiendo bueno',
  okay: 'vale acuerdo exacto exactamente perfecto correcto supuesto',
  yes: 'sí claro',
  no: 'no',
  farewell: {
    parting: 'adiós adios chao chau gracias hasta',
    wishes: 'vaya tenga pase igualmente vemos hablamos nada gusto',
    others:
      'muchas muy amable buen buena buenas luego pronto mañana próxima la a usted ti que le te bien un una ' +
      'de con por su tu ayuda tiempo vale sí claro ok nos y día tarde noche tardes noches',
  },
  screening: {
    asks: /nombre.{0,60}(?:motivo|razón|por qué)|(?:motivo|razón|por qué).{0,40}nombre/,
    person: /\bme llam|\bcuál\b|cómo (?:se|te) llama|quién (?:es|eres|habla|llama)/,
    asksName: /(?:diga|dígame|di|indique|grabe|dé|facilite).{0,20}nombre/,
    connects:
      /si .{0,40}disponible|comunicar(?:le|lo|la|emos)|conectar|le (?:paso|pasamos|pondré|comunico)|(?:intent|trat).{0,20}(?:contactar|localizar)|no cuelgue|en línea/,
    holds: /no cuelgue|en línea|un momento|espere|comprobar|le paso/,
    declines: /no está disponible|no puede (?:atender|contestar|ponerse)/,
    mailbox:
      /(?<!\b(?:me|le|te|se|no|que|si) )\b(?:dej[ae]n?(?:os|me|nos)?|déj[ae](?:me|nos)|grab[ae]n?) [^.?!]{0,25}(?:mensaje|recado)|(?:(?:transferid|desviad|redirigid|enviad)[oa] al|este es el|bienvenid[oa] al|ha (?:llamado|contactado) (?:al|con el)) (?:buzón|contestador|correo de voz)|el buzón [^.?!]{0,20}lleno/,
    callsBack: /devolver|le llamar/,
    tone: /después de(?:l (?:tono|bip|pitido)| (?:(?:oír|escuchar) )?(?:la señal|el tono))|(?:tras|al oír|al escuchar) (?:la señal|el tono)/,
    reached:
      /(?:ha|has) llamado a(?!.*\?)|(?:(?:número|teléfono|cliente|persona) al|número) que(?: usted)? (?:llama|ha llamado|ha marcado|marcó)/,
  },
  numbers: {
    to: 'a',
    ofMillions: (name) => `de ${name}`,
    currencies: { EUR: ['euro', 'euros'], USD: ['dólar', 'dólares'], GBP: ['libra', 'libras'] },
  },
};

/** Of Latin America. */
export const es419 = changePack(es, {
  okay: `${es.okay} listo dale órale ándale sale`,
  farewell: { parting: `${es.farewell.parting} bye` },
  disclosure: { recording: 'Esta llamada está siendo grabada.' },
  phrases: {
    timeLimit: 'Tengo que terminar la llamada. Gracias por su tiempo, hasta luego.',
    goodbye: 'Gracias por su tiempo. Hasta luego.',
    askToRepeat: 'Disculpe, tuve un problema. ¿Podría repetirlo, por favor?',
    interrupted: 'Disculpe, tuve un problema técnico. ¿Continúo?',
    unfinished: 'Disculpe, no puedo terminar esa respuesta. ¿En qué más le puedo ayudar?',
    technicalProblem: 'Lo siento, tengo un problema técnico y debo terminar la llamada. Hasta luego.',
    suppressed: 'Entendido. No le volveremos a llamar. Hasta luego.',
    silence: 'No escucho nada, así que voy a terminar la llamada. Hasta luego.',
    waiting: ['Un momento, por favor.', 'Todavía lo estoy revisando.', 'Va a tardar un poco más.'],
  },
  transfer: {
    connecting: 'Transfiero su llamada ahora. Un momento, por favor.',
    unreached: 'Lo siento, no pude localizar a nadie. ¿En qué más le puedo ayudar?',
  },
  busy: 'En este momento todas nuestras líneas están ocupadas. Por favor, llame más tarde. Hasta luego.',
  numbers: {
    currencies: {
      ...es.numbers.currencies,
      MXN: ['peso', 'pesos'],
      ARS: ['peso', 'pesos'],
      CLP: ['peso', 'pesos'],
      COP: ['peso', 'pesos'],
      UYU: ['peso', 'pesos'],
      DOP: ['peso', 'pesos'],
      CUP: ['peso', 'pesos'],
    },
  },
});
