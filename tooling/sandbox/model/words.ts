/** Words without information about the topic of a sentence or a tool. */
const STOP_WORDS = new Set(
  (
    'a about after again all also an and any are as ask asks at be been but by call called caller calls can ' +
    'could customer data did do does for from get gets give gives had has have he hello her here his how i ' +
    'if in information into is it its know like look make many may me more my name need no not number of on one or our ' +
    'out parameter person please return returns say says see she so some speaking tell tells thank thanks ' +
    'that the their them then there these they this to tool up use used user uses value want wants was we ' +
    'were what when where whether which who will with would yes you your morgan alex'
  ).split(' '),
);

/** Lower-case word stems, rough but the same for `available` and `availability`, `orders` and `order`. */
export function stems(text: string): Set<string> {
  const words = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return new Set(words.filter((word) => word.length > 2 && !STOP_WORDS.has(word)).map(stem));
}

export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((word) => b.has(word)).length;
}

function stem(word: string): string {
  const root = word.replace(/(ing|ies|ed|es|s|y|e)$/, '');
  return (root.length >= 3 ? root : word).slice(0, 6);
}
