/** A folder holds an assistant that is in no other one; an assistant can have several labels. */
const GROUP_KINDS = ['folder', 'label'] as const;
export type GroupKind = (typeof GROUP_KINDS)[number];

export const GROUP_COLORS = [
  'gray',
  'slate',
  'red',
  'orange',
  'amber',
  'green',
  'teal',
  'blue',
  'purple',
  'pink',
] as const;
export type GroupColor = (typeof GROUP_COLORS)[number];

/** Of an account, with any plan. */
export const MAX_GROUPS_OF_A_KIND = 100;
