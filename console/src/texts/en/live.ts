export const live = {
  title: 'Live',
  running: (n: number): string => (n === 1 ? '1 call runs' : `${n} calls run`),
  none: 'No call runs',
  order: 'Oldest first; new calls come at the end.',
  words: 'Words',
  actions: 'Actions',
  empty: {
    title: 'No call runs now',
    text: 'Calls appear here when they are dialled or answered, with the words as they are said. This page stays up to date by itself.',
    action: 'Start a campaign',
  },
  tooMany: (n: number): string => `Only the newest ${n} calls are shown.`,
};
