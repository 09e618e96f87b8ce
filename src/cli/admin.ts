import { createInterface } from 'node:readline'
import { memoryBus } from '../events/bus.ts'
import { databaseProblem, isDatabaseAway, openDatabase } from '../database/database.ts'
import { reach } from '../database/reach.ts'
import { userName } from '../database/postgres-user.ts'
import { demandSchema } from '../database/migrate.ts'
import { openStandaloneSender } from '../events/standalone-sender.ts'
import { openWrite } from '../events/write.ts'
import { events } from '../api/asyncapi.ts'
import { Problem, RefusesToBoot } from '../core/errors.ts'
import { VERSION } from '../core/version.ts'
import { Refusal } from '../features/operator/act.ts'
import { type Environment, readEnvironment } from '../environment.ts'
import { type Invocation, NotUnderstood, perform, readInvocation, USAGE } from './admin/commands.ts'
import type { Outcome } from './admin/model.ts'
import { json } from './admin/print.ts'
import { openInstallation } from './installation.ts'

/** How long running servers may take to confirm a change. */
const ACT_SECONDS_MAX = 5

/** The operating system's user; under sudo, also the user who called sudo. */
function operator(sudoUser: string | undefined): string {
  const uid = process.getuid?.()
  // A container's user may have no name.
  const name = userName() ?? `uid ${uid}`
  return uid === 0 && sudoUser ? `${name} (sudo: ${sudoUser})` : name
}

/**
 * Requires `--yes` for a destructive command or, at a terminal, that the operator types the subject again. @throws
 * Refusal
 */
async function confirm({ name, command, args, subject }: Invocation): Promise<void> {
  if (!command.destructive || args.yes === true) return
  if (!process.stdin.isTTY) throw new Refusal(`${name} cannot be undone: confirm with --yes.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await new Promise<string | undefined>((resolve) => {
    terminal.once('close', () => resolve(undefined))
    terminal.question(`${name} ${subject} cannot be undone. Type ${subject} to confirm: `, resolve)
  })
  terminal.close()
  if (answer?.trim() !== subject) throw new Refusal('That does not match: nothing was done.')
}

async function print({ result, lines }: Outcome, isJson: boolean): Promise<void> {
  await Bun.write(Bun.stdout, `${isJson ? json(result) : lines.join('\n')}\n`)
}

/** Runs the command on the installation, and prints its outcome after the commit. */
async function run(environment: Environment, who: string, invocation: Invocation): Promise<void> {
  // Ignore signals: the command ends soon, and must stop a PostgreSQL that it started.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  const { address, close } = await openInstallation(environment)
  const sql = openDatabase(address, 2, 'parley-admin')
  try {
    await reach(sql)
    await demandSchema(sql)
    const sender = await openStandaloneSender(address)
    const write = openWrite(sql, memoryBus(), events, undefined, sender.send)
    const base = environment.PUBLIC_URL ?? `http${environment.TLS_CERT ? 's' : ''}://localhost:${environment.PORT}`
    const outcome = await perform(write, who, { version: VERSION, base }, invocation)
    await print(outcome, invocation.args.json === true)
    const silentServers = await sender.acted(ACT_SECONDS_MAX)
    if (silentServers > 0)
      console.error(
        `Done, but ${silentServers} of the running servers did not confirm it within ${ACT_SECONDS_MAX} s: ` +
          'they will follow once they reach the database again.',
      )
    await sender.close()
  } finally {
    await sql.end({ timeout: 1 })
    await close()
  }
}

/** Explains an error to the operator in a sentence. */
function explain(error: unknown): string {
  if (error instanceof RefusesToBoot || error instanceof Refusal) return error.message
  if (error instanceof Problem) return `${error.detail}: nothing was done.`
  if (isDatabaseAway(error)) return 'The database connection was lost: check with `log` whether it was done.'
  const problem = databaseProblem(error)
  if (problem) return `${problem.detail}: nothing was done; try again.`
  return `Failed: ${error instanceof Error ? error.message : String(error)}`
}

const { SUDO_USER } = process.env
const words = process.argv.slice(2)
try {
  if (['help', '--help', '-h'].includes(words[0] ?? '')) console.log(USAGE)
  else {
    const invocation = readInvocation(words)
    const environment = readEnvironment(process.env)
    await confirm(invocation)
    await run(environment, operator(SUDO_USER), invocation)
  }
  process.exit(0)
} catch (error) {
  if (error instanceof NotUnderstood) {
    console.error(`${error.message}\n\n${USAGE}`)
    process.exit(2)
  }
  console.error(explain(error))
  process.exit(1)
}
