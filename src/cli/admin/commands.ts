import { parseArgs } from 'node:util'
import { z } from 'zod'
import type { Write } from '../../events/write.ts'
import { typedCommand } from '../../core/program.ts'
import { act } from '../../features/operator/act.ts'
import { accountCommands } from './accounts.ts'
import { authorCommands } from './authors.ts'
import { contentCommands } from './content.ts'
import { figureCommands } from './figures.ts'
import { logCommands } from './log.ts'
import type { Command } from './model.ts'
import { printable } from './print.ts'
import { reportCommands } from './reports.ts'
import { sanctionCommands } from './sanctions.ts'

const commands: Record<string, Command> = {
  ...accountCommands,
  ...sanctionCommands,
  ...authorCommands,
  ...contentCommands,
  ...reportCommands,
  ...figureCommands,
  ...logCommands,
}

/** The synopsis and summary of each command, for the usage text and the README. */
export const synopses = Object.entries(commands).map(([name, { words, summary }]) => [`${name} ${words}`, summary])

export const USAGE = `${typedCommand('admin')} <command>

${synopses.map(([synopsis, summary]) => `  ${synopsis}\n      ${summary}`).join('\n')}

An <account> is an id, a user name (with @ where it looks like an id: @42) or an e-mail address. DATA_DIR or
DATABASE_URL select the installation, as for the server, which may be running or stopped.
Exit codes: 0 done, 1 refused, 2 not understood.`

/** The arguments are not a valid command: the message says why. */
export class NotUnderstood extends Error {}

/** A parsed command line. */
export interface Invocation {
  name: string
  command: Command
  args: Record<string, unknown>
  /** The last positional argument, as it was typed. */
  subject: string
}

/**
 * Parses a command line.
 * @param typed the arguments, without the program's name
 * @throws NotUnderstood
 */
export function readInvocation([name = '', ...typed]: string[]): Invocation {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new NotUnderstood(name === '' ? 'Name a command.' : `Unknown command ${printable(name)}.`)
  const { values, positionals } = parse(command, typed)
  const names = command.positionals
  if (positionals.length !== names.length)
    throw new NotUnderstood(`Usage: ${name} ${command.words} (${positionals.length} of ${names.length} arguments).`)
  const input = { ...values, ...Object.fromEntries(names.map((argument, at) => [argument, positionals[at]])) }
  const parsed = command.args.safeParse(input)
  if (parsed.success) return { name, command, args: parsed.data, subject: positionals.at(-1) ?? '' }
  const faults = parsed.error.issues.map(({ path, message }) => {
    const [argument = ''] = path.map(String)
    return `${names.includes(argument) ? `<${argument}>` : `--${argument}`}: ${message}.`
  })
  throw new NotUnderstood(faults.join(' '))
}

function parse({ args, positionals }: Command, typed: string[]) {
  const flags = Object.entries(args.shape).filter(([flag]) => !positionals.includes(flag))
  const options = flags.map(([flag, schema]) => {
    const isFlag = schema instanceof z.ZodDefault && schema.unwrap() instanceof z.ZodBoolean
    return [flag, { type: isFlag ? ('boolean' as const) : ('string' as const) }] as const
  })
  try {
    return parseArgs({ args: typed, options: Object.fromEntries(options), allowPositionals: true })
  } catch (error) {
    throw new NotUnderstood(printable(error instanceof Error ? error.message : String(error)))
  }
}

/**
 * Runs a command and records it in the admin log, in one transaction; a refused command is recorded as well.
 * @param operator the name of the user who runs it
 * @param program the version of this program, and the origin of the installation
 * @throws Problem, and errors of the database
 */
export const perform = (
  write: Write,
  operator: string,
  program: { version: string; base: string },
  { name, command, args }: Invocation,
) => act(write, { name: operator }, name, (context) => command.run({ ...context, ...program }, args))
