import type { ColumnOptions } from 'typeorm';

/** Options of a 64-bit column that the driver hands over as text and the house uses as `bigint`. */
export const bigintColumn = (name: string): ColumnOptions => ({
  name,
  type: 'bigint',
  transformer: {
    from: (text: string | null) => (text === null ? null : BigInt(text)),
    to: (value?: bigint | null) => value?.toString(),
  },
});
