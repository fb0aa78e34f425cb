export const HOSTS_PATH =
  process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

/** The addresses that a hosts file gives to a name, in its order. */
export function addressesInHosts(text: string, hostname: string): string[] {
  const wanted = hostname.toLowerCase().replace(/\.$/, '');
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim().split(/\s+/))
    .filter(([, ...names]) => names.some((name) => name.toLowerCase() === wanted))
    .map(([address]) => address ?? '');
}
