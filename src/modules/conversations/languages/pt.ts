import { changePack, type LanguagePack } from './language-pack.js';

/** Portuguese. */
export const pt: LanguagePack = {
  disclosure: {
    ai: 'Está a falar com um assistente automático.',
    recording: 'Esta chamada está a ser gravada.',
  },
  phrases: {
    goodbye: 'Agradeço o seu tempo. Adeus.',
    timeLimit: 'Tenho de terminar a chamada. Agradeço o seu tempo, adeus.',
    askToRepeat: 'Desculpe, tive um problema. Pode dizer outra vez, por favor?',
    interrupted: 'Desculpe, acabo de ter um problema técnico. Continuo?',
    unfinished: 'Desculpe, não posso terminar essa resposta. Em que mais posso ajudar?',
    technicalProblem: 'Lamento, tenho um problema técnico e preciso de terminar a chamada. Adeus.',
    suppressed: 'Compreendo. Não voltaremos a ligar. Adeus.',
    silence: 'Não ouço nada, por isso vou terminar a chamada. Adeus.',
    waiting: ['Um momento, por favor.', 'Ainda estou a tratar disso.', 'Demora mais um pouco.'],
  },
  transfer: {
    connecting: 'Vou transferir a sua chamada. Um momento, por favor.',
    unreached: 'Lamento, não foi possível contactar ninguém. Como posso ajudar de outra forma?',
  },
  busy: 'De momento todas as linhas estão ocupadas. Por favor, ligue mais tarde. Adeus.',
  listening: 'mm mmm hm uhum aham ah okay ok está bem bom entendo compreendo percebo',
  okay: 'pois tá certo exato exatamente perfeito',
  yes: 'sim claro',
  no: 'não nao',
  farewell: {
    parting: 'tchau adeus obrigado obrigada agradeço até',
    wishes: 'tenha igualmente também nada',
    others:
      'muito logo mais breve próxima bom boa para você si eu que de o a à senhor senhora e pela sua ajuda ' +
      'sim tá bem ok dia tarde noite um uma fim semana',
  },
  screening: {
    asks: /nome.{0,60}(?:motivo|razão|por ?qu[eê]|assunto)|(?:motivo|razão|assunto).{0,40}nome/,
    person: /\bme (?:lig|telefon)|\bqual (?:é|era|foi)|como (?:se|você se) chama|\bquem (?:é|fala|está)/,
    asksName: /(?:diga|dizer|informe|grave|indique|fale).{0,20}nome/,
    connects:
      /se .{0,40}disponível|conectar|transferir|passar a (?:chamada|ligação)|(?:tent).{0,20}(?:contactar|contatar|localizar)|colocar em contato|aguarde|não desligue|na linha/,
    holds: /na linha|não desligue|aguarde|um momento|verificar/,
    declines: /não está disponível|não pode (?:atender|falar)/,
    mailbox:
      /(?<!\b(?:me|se|ele|ela|você|não|nao|que|eu) )\b(?:deix[ea](?:-(?:me|nos))?|deixem|grave|grava) [^.?!]{0,25}(?:mensagem|recado)|(?:encaminhad|transferid|direcionad|desviad)[oa] (?:para|à|ao) [^.?!]{0,15}(?:caixa postal|caixa de mensagens|correio de voz)|est[ae] é [ao] (?:caixa postal|correio de voz)|(?:bem-vind[oa] (?:à|ao)|ligou para [oa]) (?:caixa postal|caixa de correio|correio de voz|voice ?mail)/,
    callsBack: /retorn/,
    tone: /(?:após o|depois do|a seguir ao) (?:sinal|bip)/,
    reached:
      /(?:você|voce) ligou para(?!.*\?)|ligou para o (?:telefone|número)|número (?:(?:que|para o qual) ligou|chamado|discado)/,
  },
  numbers: {
    to: 'a',
    ofMillions: (name) => `de ${name}`,
    currencies: {
      EUR: ['euro', 'euros'],
      USD: ['dólar', 'dólares'],
      BRL: ['real', 'reais'],
      GBP: ['libra', 'libras'],
    },
  },
};

export const ptBR = changePack(pt, {
  disclosure: {
    ai: 'Você está falando com um assistente automático.',
    recording: 'Esta ligação está sendo gravada.',
  },
  phrases: {
    goodbye: 'Agradeço pelo seu tempo. Tchau.',
    timeLimit: 'Preciso encerrar a ligação. Agradeço pelo seu tempo, tchau.',
    askToRepeat: 'Desculpe, tive um problema. Você pode repetir, por favor?',
    interrupted: 'Desculpe, acabei de ter um problema técnico. Posso continuar?',
    unfinished: 'Desculpe, não consigo terminar essa resposta. Em que mais posso ajudar?',
    technicalProblem: 'Desculpe, estou com um problema técnico e preciso encerrar a ligação. Tchau.',
    suppressed: 'Entendi. Não ligaremos mais para você. Tchau.',
    silence: 'Não estou ouvindo nada, então vou encerrar a ligação. Tchau.',
    waiting: ['Um momento, por favor.', 'Ainda estou verificando.', 'Vai demorar mais um pouquinho.'],
  },
  transfer: {
    connecting: 'Vou transferir a sua ligação. Um momento, por favor.',
    unreached: 'Desculpe, não consegui falar com ninguém. Em que mais posso ajudar?',
  },
  busy: 'No momento, todas as nossas linhas estão ocupadas. Por favor, ligue mais tarde. Tchau.',
  listening: `${pt.listening} é legal tudo beleza tô entendi isso`,
  farewell: { parting: `${pt.farewell.parting} valeu imagina` },
});
