import { statSync } from 'node:fs'
import { events } from '../api/asyncapi.ts'
import { DiskSpace } from '../core/disk-space.ts'
import { RefusesToBoot } from '../core/errors.ts'
import { typedCommand } from '../core/program.ts'
import { type Database, openDatabase, type Sql, writeProbe } from '../database/database.ts'
import { reach } from '../database/reach.ts'
import { tryLockJob } from '../database/job-lock.ts'
import { demandSchema } from '../database/migrate.ts'
import type { Environment } from '../environment.ts'
import { memoryBus } from '../events/bus.ts'
import { openStandaloneSender } from '../events/standalone-sender.ts'
import { openWrite } from '../events/write.ts'
import { DiscordRest } from '../features/imports/discord-rest.ts'
import { type Imported, importDiscord, type ImportProgress, type ImportTarget } from '../features/imports/import.ts'
import { objectSink } from '../features/imports/objects.ts'
import type { Report } from '../features/imports/report.ts'
import { idOf } from './admin/accounts.ts'
import { Account } from './admin/model.ts'
import { runCommand } from './command.ts'
import { openInstallation } from './installation.ts'

const TEXT = `${typedCommand('import')} discord <folder> [--owner <account>] [--dry-run]
  Moves servers of Discord in, from a folder that DiscordChatExporter has written as JSON with its media: see
  docs/moving.md. DATA_DIR or DATABASE_URL name the installation, as for the server; whether it runs makes no
  difference. If a run was interrupted, run the same command again to resume; a finished run is not repeated.
  With a bot's token in DISCORD_TOKEN, members and the permissions of roles and channels are imported too.

  --owner <account>   who owns the servers: an id, a user name or an e-mail address. Not needed where there is one
                      operator
  --dry-run           reads the whole export and prints what would and would not be imported; writes nothing`

const CONNECTIONS = 3
const SERVERS_MAX = 100
const LINE_SECONDS = 10
const TERMINAL_SECONDS = 1
/** An import that was killed keeps its lock for a moment. */
const TURN_MS_MAX = 3_000
const TURN_MS = 100
/** How long running servers may take to confirm the new server. */
const TELL_SECONDS_MAX = 5

/** The account that will own the import. @throws RefusesToBoot */
async function ownerOf(sql: Sql, accountName: string | undefined): Promise<number> {
  const operators = await sql<{ id: number }[]>`select id from users where operator_since is not null limit 2`
  const [only] = operators
  if (accountName === undefined && (!only || operators.length > 1))
    throw new RefusesToBoot('Name the owner of the server with --owner <account>.')
  const id = accountName === undefined ? only?.id : await idOf(sql, Account.parse(accountName))
  const [owner] = await sql<{ server_count: number }[]>`
    select server_count from users where id = ${id ?? 0} and deleted_at is null and kind = 'person'`
  if (!owner || id === undefined) throw new RefusesToBoot('There is no such account, or it cannot own a server.')
  if (owner.server_count >= SERVERS_MAX)
    throw new RefusesToBoot('That account is already in the maximum number of servers.')
  return id
}

/**
 * Blocks other imports until the connection ends: two at once would write everything twice, and delete each other's
 * unfinished files.
 * @returns releases the connection earlier
 * @throws RefusesToBoot
 */
async function takeTurn(sql: Database): Promise<() => void> {
  const connection = await sql.reserve()
  for (const until = Date.now() + TURN_MS_MAX; !(await tryLockJob(connection, 'import')); await Bun.sleep(TURN_MS))
    if (Date.now() > until) {
      connection.release()
      throw new RefusesToBoot('Another import is running.')
    }
  return () => connection.release()
}

/** A server that runs as another user cannot read files written by root. @throws RefusesToBoot */
function demandUser({ DATA_DIR, DATABASE_URL, S3_ENDPOINT }: Environment): void {
  if (DATABASE_URL && S3_ENDPOINT) return
  const { uid } = statSync(DATA_DIR)
  if (process.getuid && uid !== process.getuid())
    throw new RefusesToBoot(`${DATA_DIR} belongs to the user with id ${uid}: run this as the user of the server.`)
}

/** Prints the import's progress periodically. @returns stops that */
function showProgress(progressOf: () => ImportProgress | undefined): () => void {
  const began = Date.now()
  const { isTTY } = process.stderr
  const line = (now: ImportProgress): string => {
    const speed = Math.round(now.messages / Math.max(1, (Date.now() - began) / 1000))
    if (now.step === 'reading') return `Reading: ${now.messages} messages`
    if (now.step === 'people') return 'Creating people, roles, channels and pictures'
    return `Writing: ${now.messages} of ${now.total} messages (${speed}/s)`
  }
  const timer = setInterval(
    () => {
      const now = progressOf()
      if (now) process.stderr.write(isTTY ? `\r\u001B[K${line(now)}` : `${line(now)}\n`)
    },
    (isTTY ? TERMINAL_SECONDS : LINE_SECONDS) * 1000,
  )
  return () => {
    clearInterval(timer)
    if (isTTY) process.stderr.write('\r\u001B[K')
  }
}

/** The report at the end. */
function reportLines(imported: Imported[], report: Report): string[] {
  const lines = imported.map(({ name, server_id, wasDone, channels, people, members, emoji, messages }) => {
    const visibleName = name.replace(/\p{C}/gu, ' ').slice(0, 100)
    if (wasDone) return `${visibleName} was imported before, as server ${server_id}: nothing was done.`
    const peopleText = members === undefined ? `${people} people` : `${people} people, ${members} of them members`
    const contentsText = `${channels} channels and threads, ${peopleText}, ${emoji} custom emoji, ${messages} messages`
    return server_id === undefined
      ? `${visibleName} would be imported: ${contentsText}.`
      : `${visibleName} is here as server ${server_id}: ${contentsText}.`
  })
  const lostLines = report.lines()
  return [
    ...lines,
    ...(lostLines.length > 0 ? ['Not imported, or only in part:', ...lostLines] : ['Everything is imported.']),
    ...advice(imported, report),
  ]
}

/** Advice for the owner before inviting anybody to the imported servers. */
function advice(imported: Imported[], report: Report): string[] {
  const newImports = imported.filter(({ wasDone }) => !wasDone)
  if (newImports.length === 0) return []
  if (newImports.some(({ members }) => members === undefined))
    return [
      'Exports do not say who may see which channel: everyone you invite sees all of them. Restrict channels first.',
    ]
  if (report.count('shut_out') > 0)
    return [
      'People would see channels that they cannot see on Discord. Check roles and channels before you invite them.',
    ]
  return ['Roles and channels have the same permissions as on Discord. Check them before you invite anybody.']
}

await runCommand(
  {
    text: TEXT,
    options: { owner: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
    positionals: [2, 2],
  },
  'what was written stays hidden; run the same command again to resume.',
  async ({ values: { owner, 'dry-run': isDry }, positionals: [format, folder = ''] }, environment, signal) => {
    if (format !== 'discord') throw new RefusesToBoot('Only Discord exports can be imported: use discord.')
    const { DISCORD_TOKEN: token, DISCORD_API_URL: address, DISCORD_CDN_URL: cdn } = environment
    const discord = token === undefined ? undefined : new DiscordRest({ address, cdn }, token, signal)
    let now: ImportProgress | undefined
    const watch = { signal, progress: (progress: ImportProgress) => void (now = progress) }
    const run = async (target: ImportTarget | undefined) => {
      const end = showProgress(() => now)
      const source = { folder, maxBytes: environment.MAX_FILE_BYTES, discord }
      const { imported, report } = await importDiscord(source, target, watch).finally(end)
      console.log(reportLines(imported, report).join('\n'))
    }
    if (isDry) return run(undefined)
    demandUser(environment)
    await onInstallation(environment, owner, run)
  },
)

/** Runs an import on this environment's installation. */
async function onInstallation(
  environment: Environment,
  owner: string | undefined,
  run: (target: ImportTarget) => Promise<void>,
): Promise<void> {
  const { address, close } = await openInstallation(environment)
  const sql = openDatabase(address, CONNECTIONS, 'parley-import', undefined, undefined, 'unlimited')
  let leave = () => {}
  try {
    await reach(sql)
    await demandSchema(sql)
    leave = await takeTurn(sql)
    const owner_id = await ownerOf(sql, owner)
    const sender = await openStandaloneSender(address)
    const write = openWrite(sql, memoryBus(), events, undefined, sender.send)
    const { DATA_DIR: directory, DATABASE_URL, S3_ENDPOINT, DISK_FREE_MIN_BYTES: freeMinBytes } = environment
    const isHere = !DATABASE_URL || !S3_ENDPOINT
    const space = new DiskSpace(() => writeProbe(sql), isHere ? { directory, freeMinBytes } : undefined)
    const objects = await objectSink(environment)
    try {
      await run({ environment, sql, write, objects, space, owner_id })
      const silentServers = await sender.acted(TELL_SECONDS_MAX)
      if (silentServers > 0) console.error('A running server did not confirm it in time: it will follow by itself.')
    } finally {
      objects.close()
      await sender.close()
    }
  } finally {
    leave()
    await sql.end({ timeout: 1 })
    await close()
  }
}
