import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A process that serves the pages of the console or of the guide (page-host.mjs), one folder with its settings at a time. */
export class PageServer {
  private readonly host: ChildProcess = fork('test/support/page-host.mjs', { execArgv: [] });

  /** Ends what it served before. @returns the address of the new pages */
  async serve(name: 'console' | 'guide', folder: string, http: object): Promise<string> {
    this.host.send({ name, folder, http });
    const [port] = (await once(this.host, 'message')) as [number];
    return `http://127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    const exit = once(this.host, 'exit');
    this.host.disconnect();
    await exit;
  }
}
