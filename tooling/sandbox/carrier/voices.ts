/** Polly's neural voices by language; some support a second one. */
const AMAZON: Record<string, readonly string[]> = {
  'ar-AE': ['Hala', 'Zayd'],
  'ca-ES': ['Arlet'],
  'cmn-CN': ['Zhiyu'],
  'cs-CZ': ['Jitka'],
  'da-DK': ['Sofie'],
  'de-AT': ['Hannah'],
  'de-CH': ['Sabrina'],
  'de-DE': ['Vicki', 'Daniel'],
  'en-AU': ['Olivia'],
  'en-GB': ['Amy', 'Emma', 'Brian', 'Arthur'],
  'en-IE': ['Niamh'],
  'en-IN': ['Kajal'],
  'en-NZ': ['Aria'],
  'en-SG': ['Jasmine'],
  'en-US': [
    'Danielle',
    'Gregory',
    'Ivy',
    'Joanna',
    'Kendra',
    'Kimberly',
    'Salli',
    'Joey',
    'Justin',
    'Kevin',
    'Matthew',
    'Ruth',
    'Stephen',
  ],
  'en-ZA': ['Ayanda'],
  'es-ES': ['Lucia', 'Sergio'],
  'es-MX': ['Mia', 'Andres'],
  'es-US': ['Lupe', 'Pedro'],
  'fi-FI': ['Suvi'],
  'fr-BE': ['Isabelle'],
  'fr-CA': ['Gabrielle', 'Liam'],
  'fr-FR': ['Lea', 'Remi'],
  'hi-IN': ['Kajal'],
  'it-IT': ['Bianca', 'Adriano'],
  'ja-JP': ['Kazuha', 'Takumi', 'Tomoko'],
  'ko-KR': ['Seoyeon', 'Jihye'],
  'nb-NO': ['Ida'],
  'nl-BE': ['Lisa'],
  'nl-NL': ['Laura'],
  'pl-PL': ['Ola'],
  'pt-BR': ['Camila', 'Vitoria', 'Thiago'],
  'pt-PT': ['Ines'],
  'sv-SE': ['Elin'],
  'tr-TR': ['Burcu'],
  'yue-CN': ['Hiujin'],
};

/** The names of the same language at the speech providers. */
const SAME_LANGUAGE: Record<string, string> = {
  'zh-CN': 'cmn-CN',
  'cmn-Hans-CN': 'cmn-CN',
  'no-NO': 'nb-NO',
  'ar-XA': 'ar-AE',
};

/** Languages of the multilingual models of ElevenLabs; `flash_v2` and `turbo_v2` support English only. */
const ELEVENLABS_LANGUAGES: ReadonlySet<string> = new Set(
  'ar bg cmn cs da de el en es fi fil fr hi hr hu id it ja ko ms nb nl no pl pt ro ru sk sv ta tr uk vi zh'.split(
    ' ',
  ),
);
const ELEVENLABS_MODEL = String.raw`(?:flash|turbo)_v\d+(?:_\d+)?`;
/** Numbers have a decimal point, as in the carrier's documentation. */
const DECIMAL = String.raw`\d\.\d+`;
const ELEVENLABS = new RegExp(
  `^[A-Za-z0-9]{20}(?:-(${ELEVENLABS_MODEL}))?(?:-(${DECIMAL})_(${DECIMAL})_(${DECIMAL}))?$`,
);

/**
 * The reason for which this voice does not support the language; null when it does. `voice` is undefined for the
 * language's default.
 */
export function voiceFault(provider: string, voice: string | undefined, language: string): string | null {
  const speaks = { amazon, google, elevenlabs }[provider.toLowerCase()];
  if (speaks === undefined) return `Invalid ttsProvider: ${provider}`;
  if (voice === undefined) {
    const isUnknown = provider.toLowerCase() === 'elevenlabs' && !isElevenLabsLanguage(language);
    return isUnknown ? `${provider} has no voice for ${language}` : null;
  }
  if (speaks(voice, language)) return null;
  return `Invalid combination of ttsProvider ${provider}, voice ${voice} and language ${language}`;
}

function amazon(voice: string, language: string): boolean {
  const name = /^(\w+)-(?:Neural|Generative)$/.exec(voice)?.[1];
  const voices = AMAZON[SAME_LANGUAGE[language] ?? language];
  return name !== undefined && (voices?.includes(name) ?? false);
}

/** Their names begin with the language. */
function google(voice: string, language: string): boolean {
  return (
    /^[a-z]{2,3}-[A-Z]{2}-\w+/.test(voice) && voice.startsWith(`${SAME_LANGUAGE[language] ?? language}-`)
  );
}

const isElevenLabsLanguage = (language: string): boolean =>
  ELEVENLABS_LANGUAGES.has(language.split('-')[0] ?? '');

function elevenlabs(voice: string, language: string): boolean {
  const match = ELEVENLABS.exec(voice);
  if (match === null) return false;
  const [, model = 'flash_v2_5', speed = '1.0', stability = '0.5', similarity = '0.5'] = match;
  const inRange = Number(speed) >= 0.7 && Number(speed) <= 1.2;
  const shares = [stability, similarity].every((share) => Number(share) <= 1);
  const speaks = model.endsWith('_v2') ? language.startsWith('en') : isElevenLabsLanguage(language);
  return inRange && shares && speaks;
}
