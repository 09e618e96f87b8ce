import './core/start-interpreted.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { announce, errorFields } from './core/log.ts'
import { messageOf, RefusesToBoot } from './core/errors.ts'
import { programFile } from './core/program.ts'
import { VERSION } from './core/version.ts'
import { databaseProblem } from './database/database.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { givesMicrophones, NO_MICROPHONES } from './voice/secure-origin.ts'
import { obtainWorker } from './voice/worker/obtain.ts'
import { type Parley, startParley } from './parley.ts'

const STOP_SECONDS_MAX = 10

/** `media`: obtains mediasoup's worker now, instead of in the background of a starting server; prints each step. */
async function obtainMedia(environment: Environment): Promise<void> {
  if (environment.MEDIA_WORKER === 'off') throw new RefusesToBoot('MEDIA_WORKER is off.')
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => interruption.abort(new Error('Interrupted')))
  const report = (step: string) => console.log(step)
  await obtainWorker(environment, { report, signal: interruption.signal }).catch((error: Error) => {
    throw new RefusesToBoot(`${error.message}.`)
  })
}

async function serve(environment: Environment): Promise<void> {
  const starting = startParley(environment)
  let running: Parley | undefined
  const hurry = new AbortController()
  let isStopping = false
  /** @param draining lets other processes take over first, until a second signal */
  const end = async (draining?: Promise<void>) => {
    if (isStopping) return hurry.abort()
    isStopping = true
    await draining?.catch(() => {})
    setTimeout(() => process.exit(1), STOP_SECONDS_MAX * 1000).unref()
    // Also works while the server starts: a PostgreSQL that is already running is stopped too.
    await starting.then((parley) => parley.stop())
    process.exit(0)
  }
  const stop = () => end()
  // A log that cannot be written, on a full disk or to a reader that has ended, ends no server; it goes on when it can.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
  process.on('SIGTERM', () => end(isStopping ? undefined : running?.drain(hurry.signal)))
  process.on('SIGINT', stop)
  const reload = () => void starting.then((parley) => parley.renewCertificate()).catch(() => {})
  // Without a certificate there is nothing to reload. At a terminal, SIGHUP means that the terminal was closed.
  process.on('SIGHUP', environment.TLS_CERT === undefined && process.stdout.isTTY ? stop : reload)
  const parley = await starting
  running = parley
  const { PUBLIC_URL, DATA_DIR } = environment
  const url = PUBLIC_URL ?? parley.url
  const lack = givesMicrophones(url) ? '' : ` · NO CALLS FROM BROWSERS: ${NO_MICROPHONES}`
  const message = `Parley listens on ${url} · docs at ${parley.url}/docs · data in ${DATA_DIR}${lack}`
  announce(process.stdout, 'info', 'listening', { message, url, docs: `${parley.url}/docs`, data_dir: DATA_DIR })
  if (environment.RATE_LIMITS === 'off')
    announce(process.stderr, 'warn', 'limits.off', { message: 'RATE LIMITS ARE OFF: for tests and benchmarks only.' })
  // Log an unhandled rejection as a fault, but do not end everyone's connections.
  process.on('unhandledRejection', (error) => parley.parts.log('error', 'unhandled', errorFields(error)))
}

/** Prints a document of `docs/`, or the list of documents. */
function printDocument(name: string | undefined): void {
  const names = readdirSync(programFile('docs')).flatMap((file) => /^(\w+)\.md$/.exec(file)?.[1] ?? [])
  if (name === undefined) console.log(names.join('\n'))
  else if (names.includes(name)) console.log(readFileSync(programFile(`docs/${name}.md`), 'utf8'))
  else throw new RefusesToBoot(`No such document. Documents: ${names.join(', ')}.`)
}

/** Commands by first argument; without an argument the server starts. */
const COMMANDS: Record<string, () => Promise<unknown>> = {
  admin: () => import('./cli/admin.ts'),
  doctor: () => import('./cli/doctor.ts'),
  media: () => obtainMedia(readEnvironment(process.env)),
  backup: () => import('./cli/backup.ts'),
  restore: () => import('./cli/restore.ts'),
  import: () => import('./cli/import.ts'),
  upgrade: () => import('./cli/upgrade.ts'),
  verify: () => import('./cli/verify.ts').then(({ verify }) => verify(startParley)),
  docs: async () => printDocument(process.argv[2]),
  version: async () => console.log(VERSION),
}

const USAGE = `Parley starts without an argument. Commands: ${Object.keys(COMMANDS).join(', ')}.`

const [, , commandName] = process.argv
try {
  const command = commandName !== undefined && Object.hasOwn(COMMANDS, commandName) ? COMMANDS[commandName] : undefined
  // Each command reads its own arguments from argv.
  process.argv.splice(2, 1)
  if (command) {
    Bun.unsafe.setJITPolicy?.(1)
    await command()
  } else if (commandName === undefined) await serve(readEnvironment(process.env))
  else if (['help', '--help', '-h'].includes(commandName)) console.log(USAGE)
  else throw new RefusesToBoot(USAGE)
} catch (error) {
  const problem = databaseProblem(error)
  if (!(error instanceof RefusesToBoot) && !problem) throw error
  console.error(problem ? `${problem.detail} (${messageOf(error)}).` : messageOf(error))
  process.exit(1)
}
