/**
 * Control tokens of a recogniser's model, and the mark of whisper.cpp for audio without speech. They are not speech.
 */
const CONTROL_TOKENS = /<\|[^|<>]{0,40}\|>|[[(]?\s*BLANK[_ ]AUDIO\s*[\])]?/g;

/** Sound descriptions in brackets, between stars or between notes; the closing sign may be missing. */
const SOUND_DESCRIPTIONS =
  /\[[^\]]*(?:\]|$)|\([^)]*(?:\)|$)|（[^）]*(?:）|$)|【[^】]*(?:】|$)|\{[^}]*(?:\}|$)|<[^>]*(?:>|$)|\*[^*]*(?:\*|$)|[♪♫🎵🎶][^♪♫🎵🎶]*/gu;

const WORD = /[\p{L}\p{N}]/u;

/**
 * The words of a transcription, or nothing where a recogniser only marks silence, music or a sound: `[BLANK_AUDIO]`,
 * `(silence)`, `*coughs*`, `♪`, `<|nospeech|>`, `...`. Words of a sentence stay as they are, in brackets too.
 */
export function removeNonSpeech(transcription: string): string {
  const text = transcription.replace(CONTROL_TOKENS, ' ');
  if (!WORD.test(text.replace(SOUND_DESCRIPTIONS, ' '))) return '';
  return text === transcription ? transcription : text.replace(/\s+/g, ' ').trim();
}

/** Hallucinations of whisper for audio without a voice: credits of subtitles and thanks, from its training data. */
const CREDITS = [
  /\bamara\s?\.?\s?org\b/,
  /^untertitel(?:ung)?\b.*\b(?:zdf|ard|funk|swr|wdr|ndr|br|\d{4})\b/,
  /^(?:sous-titr|sottotitoli|subt[ií]tulos|legendas|ondertitel|napisy|subtitles|captions?)\p{L}*\s+(?:by|par|de|a cura|creati|realizados|pela|door|stworzone|réalisés)\b/u,
  /^(?:thank you|thanks)(?: you)?(?: so much| very much)? for (?:watching|viewing|listening)\b/,
  /^(?:please )?(?:like and )?subscribe\b/,
  /^(?:vielen dank|danke) fürs? (?:zuschauen|zuhören)/,
  /^merci d'avoir regardé/,
  /^gracias por ver/,
  /^grazie per (?:la visione|aver guardato)/,
  /^obrigad[oa] por assistir/,
  /^bedankt voor het kijken/,
  /^dziękuję za (?:uwagę|oglądanie)/,
];

/**
 * Whether the text is a known hallucination of recognisers for silence. A person may say it, so it counts only for
 * audio without a voice.
 */
export const isHallucination = (text: string): boolean => {
  const normalized = text.toLowerCase().replaceAll('’', "'").trim();
  return CREDITS.some((credit) => credit.test(normalized));
};

const FRAME_MS = 20;
/** Root mean square, of 32,768, of the quietest voice; see `EnergyVoiceDetector`. */
const QUIETEST_VOICE = 200;
/** The shortest word lasts longer. */
const SHORTEST_VOICE_MS = 200;

/** Whether audio is loud enough, for long enough, to contain a word. */
export function mayContainVoice(samples: Int16Array, sampleRate: number): boolean {
  const length = (sampleRate * FRAME_MS) / 1000;
  let loudMs = 0;
  for (let at = 0; at + length <= samples.length; at += length) {
    const power =
      samples.subarray(at, at + length).reduce((sum, sample) => sum + sample * sample, 0) / length;
    if (Math.sqrt(power) > QUIETEST_VOICE) loudMs += FRAME_MS;
  }
  return loudMs >= SHORTEST_VOICE_MS;
}
