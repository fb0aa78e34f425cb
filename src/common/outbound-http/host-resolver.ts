import { readFile } from 'node:fs/promises';
import { Resolver } from 'node:dns/promises';
import { isLocalhost } from './check-url.js';

const HOSTS_PATH = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

/** The addresses of a name in a hosts file, in its order. */
export function findHostsFileAddresses(text: string, hostname: string): string[] {
  const wanted = hostname.toLowerCase().replace(/\.$/, '');
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim().split(/\s+/))
    .filter(([, ...names]) => names.some((name) => name.toLowerCase() === wanted))
    .map(([address]) => address ?? '');
}

/** Names to addresses. An answer is used for one connection and never kept. */
export abstract class HostResolver {
  /** At least one address; rejects with an error whose `code` is the reason (`ENOTFOUND`, …). */
  abstract resolve(hostname: string): Promise<string[]>;
}

/**
 * Hosts file, then DNS. Not `dns.lookup`: it holds one of the few threads of the process while it waits, so
 * name servers of hostile users that do not answer would stop file access, hashing and our own look-ups.
 */
export class SystemHostResolver extends HostResolver {
  private readonly dns = new Resolver({ timeout: 2000, tries: 2 });

  async resolve(hostname: string): Promise<string[]> {
    if (isLocalhost(hostname)) return ['127.0.0.1', '::1'];
    const listed = findHostsFileAddresses(await readFile(HOSTS_PATH, 'utf8').catch(() => ''), hostname);
    return listed.length > 0 ? listed : this.ask(hostname);
  }

  private async ask(hostname: string): Promise<string[]> {
    const [v4, v6] = await Promise.allSettled([this.dns.resolve4(hostname), this.dns.resolve6(hostname)]);
    const found = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
    return found;
  }
}
