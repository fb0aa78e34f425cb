import { changePack, type LanguagePack } from './language-pack.js';

/** English. */
export const en: LanguagePack = {
  disclosure: {
    ai: 'You are speaking with an automated assistant.',
    recording: 'This call is recorded.',
  },
  phrases: {
    goodbye: 'Thank you for your time. Goodbye.',
    timeLimit: 'I have to end the call now. Thank you for your time, goodbye.',
    askToRepeat: 'Sorry, something went wrong on my side. Could you say that again, please?',
    interrupted: 'Excuse me, I had a technical problem just now. Shall I go on?',
    unfinished: 'Excuse me, I cannot finish that answer. What else may I do for you?',
    technicalProblem: 'I am sorry, I have a technical problem and must end the call. Goodbye.',
    suppressed: 'I understand. You will not be called again. Goodbye.',
    silence: 'I cannot hear anything, so I will end the call now. Goodbye.',
    waiting: ['One moment, please.', 'I am still working on it.', 'It is taking a little longer.'],
  },
  transfer: {
    connecting: 'I will connect you now. One moment, please.',
    unreached: 'I am sorry, nobody could be reached. How else can I help you?',
  },
  busy: 'All our lines are busy at the moment. Please call again later. Goodbye.',
  listening: 'uh huh uhhuh mm mmm hm hmm mhm mmhm mmhmm aha ah oh okay ok got it',
  okay: 'right alright exactly absolutely definitely correct great perfect understood',
  yes: 'yes yeah yep yup sure',
  no: 'no nope nah',
  not: 'not',
  farewell: {
    parting: 'bye goodbye byebye cheers cheerio thanks thank care welcome pleasure',
    wishes: 'nice great lovely wonderful night see you have talk enjoy likewise',
    others:
      'good very so much a an lot one perfect fine too same to take speak then now all alright no problem ' +
      'right ok okay yes yeah for your re the rest of my help time call and again later soon day ' +
      'afternoon evening weekend',
  },
  screening: {
    asks: /\bname\b.{0,60}\b(?:reason|why|purpose)\b|\b(?:reason|why|purpose)\b.{0,40}\bname\b|\b(?:call )?screening (?:service|assistant)|\bscreening (?:this|your|the|my) call/,
    person:
      /\bcall(?:ing|ed)? me\b|\bwhat(?:'s| is| was)\b|\bwho(?:'s| is| are)\b|why (?:are|were|do|did) you\b/,
    asksName: /\b(?:say|state|record|give|tell)\b.{0,20}\byour (?:full |first )?name\b/,
    connects:
      /(?:if|whether) .{0,30}\b(?:available|free)|connect(?:ing)? (?:you|your|this|the) ?|try(?:ing)? to (?:reach|connect|find|locate)|put(?:ting)? you through|transfer(?:ring)? (?:you|your)|(?:hold|stay on) the line|please hold|let (?:them|him|her) know/,
    holds:
      /stay on the line|hold the line|please (?:hold|wait)|hold on|(?:one|a) (?:moment|second)|(?:see|check|checking) if|connect(?:ing)? you|trying to reach/,
    declines: /not available|unavailable|(?:can't|cannot|can not) (?:take|answer|come)|not able to/,
    mailbox:
      /(?:^|[.,!:;] ?|\b(?:please|just|or|and|so) )(?:leave|record) (?!him|her|them)[^.?!]{0,30}\b(?:message|number)|(?:you(?:'ve| have) reached|connected to|welcome to) [^.?!]{0,40}(?:voice ?mail|voice messag|mailbox)|this is (?:the|a) (?:voice ?mail|mailbox)|\bcall (?:has been|is being|was|will be) forwarded|\b(?:the|this) (?:voice )?mailbox (?:is|of|for|has)\b/,
    callsBack: /(?:call|get back to) you/,
    tone: /(?:after|at) the (?:sound of the )?(?:tone|beep|signal)|wait for the (?:tone|beep)/,
    reached:
      /you(?:'ve| have) reached (?!.*\?)|(?:number|person|customer|subscriber) (?:that )?you (?:are calling|are trying to reach|have dialled|have called|dialed|called)(?!.*\?)/,
  },
  numbers: {
    to: 'to',
    scales: 'thousand|million|billion|trillion',
    currencies: {
      EUR: ['euro', 'euros'],
      USD: ['dollar', 'dollars'],
      AUD: ['dollar', 'dollars'],
      CAD: ['dollar', 'dollars'],
      GBP: ['pound', 'pounds'],
    },
    time: (hour, minute) => {
      if (hour === 0) return minute === '00' ? 'midnight' : `12:${minute} AM`;
      const said =
        minute === '00' && hour >= 13 ? `${hour - 12}` : `${hour > 12 ? hour - 12 : hour}:${minute}`;
      return hour >= 13 ? `${said} PM` : said;
    },
  },
};

/** Of the United Kingdom and Ireland. */
export const enGB = changePack(en, {
  phrases: { waiting: ['One moment, please.', 'I’m still looking into it.', 'It’s taking a little longer.'] },
});
