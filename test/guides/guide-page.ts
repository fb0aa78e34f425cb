import { spawn } from 'node:child_process';

/** Commands of a page, and what it says that they print. */
export interface Step {
  line: number;
  commands: string;
  /** JSON, or text where the page has it in a block of `text`; null: the commands print nothing. */
  expected: { language: string; text: string } | null;
}

const BLOCK = /^```(\S+)([^\n]*)\n(.*?)^```$/gms;

/** Blocks of `sh` in their order, each with the block of `json` or `text` that follows it. `sh skip` is not run. */
export function stepsOf(markdown: string): Step[] {
  const steps: Step[] = [];
  let isOpen = false;
  for (const { 1: language = '', 2: mark = '', 3: text = '', index } of markdown.matchAll(BLOCK)) {
    const last = steps.at(-1);
    if (language === 'sh') {
      isOpen = mark.trim() !== 'skip';
      const line = markdown.slice(0, index).split('\n').length;
      if (isOpen) steps.push({ line, commands: text, expected: null });
    } else if (isOpen && last && (language === 'json' || language === 'text')) {
      last.expected = { language, text };
      isOpen = false;
    }
  }
  return steps;
}

export interface Ran {
  /** What each step printed. */
  outputs: string[];
  problem: string;
}

/** Runs the steps one after another in one shell, so that later ones have the variables of earlier ones. */
export async function runSteps(
  steps: Step[],
  { cwd, env, prelude }: { cwd: string; env: NodeJS.ProcessEnv; prelude: string },
): Promise<Ran> {
  const end = (index: number): string => `\n\u0001end of step ${index}\u0001\n`;
  const script = steps.map(({ commands }, index) => `${commands}\nprintf '${end(index)}'`).join('\n');
  const shell = spawn('bash', ['-o', 'pipefail'], { cwd, env, stdio: 'pipe', detached: true });
  let output = '';
  let problem = '';
  shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  shell.stderr.on('data', (chunk: Buffer) => (problem += chunk.toString()));
  const exited = new Promise((resolve) => shell.once('exit', resolve));
  shell.stdin.end(`${prelude}\n${script}\n`);
  await exited;
  // What a page starts in the background, and does not end itself.
  if (shell.pid) killGroup(shell.pid);
  const outputs = steps.map((_step, index) => {
    const from = index === 0 ? 0 : output.indexOf(end(index - 1)) + end(index - 1).length;
    return output.slice(from, output.indexOf(end(index))).trim();
  });
  return { outputs, problem };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it runs any more.
  }
}

/**
 * Why the output is not what the page shows, or null. `…` in a text stands for any characters; ids are those of the
 * reader's own service; an object may have further fields.
 */
export function difference(expected: Step['expected'], output: string): string | null {
  if (expected === null) return output === '' ? null : `prints ${output}, which the page does not show`;
  if (expected.language === 'text') {
    const shown = expected.text.trim();
    return matchesText(shown, output) ? null : `prints ${output}, the page shows ${shown}`;
  }
  try {
    const [shown, printed] = [JSON.parse(expected.text) as unknown, JSON.parse(output) as unknown];
    return matches(shown, printed) ? null : `prints ${output}, the page shows ${expected.text}`;
  } catch {
    return `prints ${output}, which is not JSON as the page shows`;
  }
}

const matchesText = (shown: string, printed: string): boolean => {
  const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(printed);
};

function matches(shown: unknown, printed: unknown, key = ''): boolean {
  if (typeof shown === 'string') return typeof printed === 'string' && matchesText(shown, printed);
  if (typeof shown !== 'object' || shown === null) {
    return shown === printed || (/(^|_)id$/.test(key) && typeof shown === typeof printed);
  }
  if (typeof printed !== 'object' || printed === null) return false;
  if (Array.isArray(shown) !== Array.isArray(printed)) return false;
  if (Array.isArray(shown) && shown.length !== (printed as unknown[]).length) return false;
  return Object.entries(shown).every(([name, value]) =>
    matches(value, (printed as Record<string, unknown>)[name], name),
  );
}
