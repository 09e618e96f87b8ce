import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { isDiskFull, messageOf, RefusesToBoot } from '../core/errors.ts'
import { databaseProblem, isDatabaseAway } from '../database/database.ts'
import { isSdkError } from '../storage/s3-store.ts'
import { type Environment, readEnvironment } from '../environment.ts'

/** How long a command may clean up after a signal: twice what PostgreSQL gets to stop. */
const CLEANUP_SECONDS_MAX = 60

/** The arguments are not a valid command; the message says why. */
export class NotUnderstood extends Error {}

/** Describes the arguments of a command. */
interface Usage<O extends ParseArgsOptionsConfig> {
  text: string
  options: O
  /** Number of positional arguments, at least and at most. */
  positionals: [least: number, most: number]
}

/** Parses arguments. @throws NotUnderstood */
function readArguments<O extends ParseArgsOptionsConfig>(
  { options, positionals: [least, most] }: Usage<O>,
  args: string[],
) {
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true })
    if (parsed.positionals.length < least || parsed.positionals.length > most)
      throw new NotUnderstood(`Wrong number of arguments: ${parsed.positionals.length}.`)
    return parsed
  } catch (error) {
    throw new NotUnderstood(messageOf(error))
  }
}

/** Explains an error to the operator in a sentence. */
function explain(error: unknown, undone: string): string {
  if (error instanceof RefusesToBoot) return error.message
  if (error instanceof DOMException && error.name === 'AbortError') return `Interrupted: ${undone}`
  if (isDiskFull(error)) return `There is no space left: ${undone}`
  if (isDatabaseAway(error)) return `The database connection was lost: ${undone}`
  if (isSdkError(error)) return `The object store does not work (${error.name}): ${undone}`
  const problem = databaseProblem(error)
  return problem ? `${problem.detail}: ${undone}` : `Failed (${messageOf(error)}): ${undone}`
}

/**
 * Runs a command. Exit codes: 0 done, 1 refused, 2 not understood. A signal aborts it and undoes its work.
 * @param undone end of the sentence that reports a failure
 */
export async function runCommand<O extends ParseArgsOptionsConfig>(
  usage: Usage<O>,
  undone: string,
  run: (parsed: ReturnType<typeof readArguments<O>>, environment: Environment, signal: AbortSignal) => Promise<void>,
): Promise<never> {
  const args = process.argv.slice(2)
  const interruption = new AbortController()
  const interrupt = () => {
    if (interruption.signal.aborted) return
    interruption.abort()
    // Do not wait for services that hang, such as an object store.
    setTimeout(() => {
      console.error(explain(interruption.signal.reason, undone))
      process.exit(1)
    }, CLEANUP_SECONDS_MAX * 1000)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt)
  try {
    if (['--help', '-h', 'help'].includes(args[0] ?? '')) console.log(usage.text)
    else await run(readArguments(usage, args), readEnvironment(process.env), interruption.signal)
    process.exit(0)
  } catch (error) {
    if (error instanceof NotUnderstood) {
      console.error(`${error.message}\n\n${usage.text}`)
      process.exit(2)
    }
    console.error(explain(interruption.signal.aborted ? interruption.signal.reason : error, undone))
    process.exit(1)
  }
}
