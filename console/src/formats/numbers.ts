const counts = new Intl.NumberFormat('en');
const shares = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });

export const formatCount = (n: number): string => counts.format(n);

/** @param share 0 to 1; null: there is none, e.g. of no calls */
export const formatShare = (share: number | null | undefined): string =>
  share == null ? '–' : shares.format(share);

/** Small amounts with four decimals: a call costs fractions of a cent. */
export function moneyFormat(currency: string): (amount: number | null | undefined) => string {
  const exact = new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 4 });
  const rounded = new Intl.NumberFormat('en', { style: 'currency', currency });
  return (amount) => {
    if (amount == null) return '–';
    return (amount !== 0 && Math.abs(amount) < 1 ? exact : rounded).format(amount);
  };
}

/** `+1 500 555 0025`; other countries' numbers as they are. */
export const formatPhone = (phone: string): string =>
  phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '+1 $1 $2 $3');

/** `3.4 kB`, `12 MB`. */
export function formatBytes(bytes: number): string {
  const [unit, size] = bytes < 1e6 ? ['kB', 1e3] : ['MB', 1e6];
  return `${(bytes / Number(size)).toLocaleString('en', { maximumSignificantDigits: 2 })} ${unit}`;
}
