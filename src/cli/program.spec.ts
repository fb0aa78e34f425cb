import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { toExplanation } from './output.js';
import { buildProgram } from './program.js';

function silent(command: Command): Command {
  command.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  command.commands.forEach(silent);
  return command;
}

async function exitCodeOf(line: string): Promise<number> {
  try {
    await silent(buildProgram()).parseAsync(['node', 'cli', ...line.split(' ').filter(Boolean)]);
    return 0;
  } catch (error) {
    return toExplanation(error).exitCode;
  }
}

function leavesOf(command: Command): Command[] {
  return command.commands.length > 0 ? command.commands.flatMap(leavesOf) : [command];
}

/** The help text with the examples that `addHelpText` appends; `helpInformation()` leaves them out. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

describe('buildProgram', () => {
  it.each(['--help', 'accounts create --help', 'doctor --help'])('exits with 0 after %s', async (line) => {
    expect(await exitCodeOf(line)).toBe(0);
  });

  it.each([
    '',
    'nonsense',
    'accounts',
    'accounts nonsense',
    'accounts create',
    'accounts create --name Ada --email a@b --balance much',
    'tokens create --email a@b --expires tomorrow',
    'tokens create --email a@b --scopes everything',
    'plans list --wrong',
    'prices load',
  ])('exits with 2 after "%s"', async (line) => expect(await exitCodeOf(line)).toBe(2));

  const leaves = leavesOf(buildProgram());

  it('has the commands of all groups', () => {
    const names = leaves.map((leaf) => [leaf.parent?.name(), leaf.name()].join(' '));
    expect(names).toEqual(
      expect.arrayContaining(['accounts verify', 'tokens revoke', 'numbers add', 'prices load', 'plans set']),
    );
  });

  it.each(leaves.map((leaf) => [leaf.name(), leaf] as const))(
    '%s has --json and examples whose options exist',
    (_, leaf) => {
      const help = helpOf(leaf);
      expect(help).toContain('--json');
      const examples = help.match(/npm run cli -- .+/g)?.slice(1) ?? [];
      expect(examples.length).toBeGreaterThan(0);
      const known = leaf.options.map(({ long }) => long ?? '');
      const used = examples.flatMap((example) => example.split(' -- ')[1]?.match(/--[a-z-]+/g) ?? []);
      expect(known).toEqual(expect.arrayContaining(used));
    },
  );
});

describe('toExplanation', () => {
  it('returns the message of an error', () => {
    expect(toExplanation(new Error('There is no plan named x.'))).toEqual({
      exitCode: 1,
      text: 'There is no plan named x.',
    });
  });

  it('joins the messages of an AggregateError', () => {
    const hidden = new AggregateError([
      new Error('connect ECONNREFUSED ::1:1'),
      new Error('connect ECONNREFUSED 127.0.0.1:1'),
    ]);
    expect(toExplanation(hidden).text).toBe('connect ECONNREFUSED ::1:1; connect ECONNREFUSED 127.0.0.1:1');
  });
});
