import { realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DiskSpace } from '../../core/disk-space.ts'
import { found } from '../../core/errors.ts'
import type { Database, Transaction } from '../../database/database.ts'
import { userName } from '../../database/postgres-user.ts'
import type { Environment } from '../../environment.ts'
import type { Emit, Notify, Write } from '../../events/write.ts'
import { join } from '../members/membership.ts'
import { lockServer } from '../access/guard.ts'
import { indexAgain } from '../search/indexer.ts'
import { addAccess, grant, makeMembers, noteAccess } from './access.ts'
import { addQuestions, addRules, type PreparedRule, prepareRules } from './community.ts'
import type { DiscordRest, GuildAccess } from './discord-rest.ts'
import type { Places } from './discord-text.ts'
import { MessageConverter } from './discord-messages.ts'
import { begunImport, demandBounds, ImportedServer, isThread } from './imported-server.ts'
import { ExportMedia, FileStore } from './media.ts'
import { MessageLoader } from './message-loader.ts'
import type { ObjectSink } from './objects.ts'
import { makePictures } from './pictures.ts'
import { makeRolePictures } from './role-pictures.ts'
import { Report } from './report.ts'
import { messagesOf, type Survey, survey, type SurveyedChannel } from './survey.ts'

const DAY_MS = 86_400_000
/** Rows per statement that deletes the import's own bookkeeping. */
const ROWS_MAX = 50_000

/** The installation that an import writes to. */
export interface ImportTarget {
  environment: Pick<Environment, 'MAX_FILE_BYTES' | 'MESSAGE_RETENTION_DAYS' | 'SERVER_ASSETS_BYTES_MAX'>
  sql: Database
  write: Write
  objects: ObjectSink
  space: DiskSpace
  /** The owner of the created servers. */
  owner_id: number
}

/** Progress of an import. */
export interface ImportProgress {
  step: 'reading' | 'people' | 'messages'
  messages: number
  /** Known once the export has been read. */
  total?: number
}

/** The sources of an import. */
export interface ImportSource {
  folder: string
  /** Larger files are left out. */
  maxBytes: number
  /** Fetches members and permissions, which an export does not contain. */
  discord?: DiscordRest | undefined
}

interface Watch {
  progress(now: ImportProgress): void
  signal: AbortSignal
}

/** The result of importing one Discord server. */
export interface Imported {
  name: string
  /** Undefined in a dry run. */
  server_id: number | undefined
  /** True if an earlier run had finished already, so that nothing was done. */
  wasDone: boolean
  channels: number
  people: number
  emoji: number
  messages: number
  /** Undefined without a token, or if nothing was done. */
  members: number | undefined
}

/**
 * Imports an export of DiscordChatExporter: reads it completely, then writes. Resumes an interrupted run, and skips
 * servers that are finished. Each server of the export becomes a server here, which its owner sees once it is complete.
 * The caller ensures that no two imports write concurrently.
 * @param target undefined for a dry run, which writes nothing
 * @throws RefusesToBoot, and errors of the database and the object store
 */
export async function importDiscord(
  { folder, maxBytes, discord }: ImportSource,
  target: ImportTarget | undefined,
  watch: Watch,
): Promise<{ imported: Imported[]; report: Report }> {
  const report = new Report()
  const surveys = await survey(
    folder,
    report,
    (messages) => watch.progress({ step: 'reading', messages }),
    watch.signal,
  )
  const accessBySurvey = new Map<Survey, GuildAccess>()
  const rulesBySurvey = new Map<Survey, PreparedRule[]>()
  for (const one of surveys.values()) {
    demandBounds(one)
    if (target && (await begunImport(target.sql, one.guild.id))?.finished_at) continue
    const access = await discord?.access(one.guild.id, one.guild.name)
    if (!access) continue
    accessBySurvey.set(one, access)
    addAccess(one, access)
    noteAccess(one, access, report)
    rulesBySurvey.set(one, await prepareRules(access, report))
  }
  const media = new ExportMedia(await realpath(folder), maxBytes, report)
  const imported: Imported[] = []
  for (const one of surveys.values()) {
    const [access, rules] = [accessBySurvey.get(one), rulesBySurvey.get(one) ?? []]
    const plan = { one, access, discord, rules, media, report }
    imported.push(await (target ? importServer(target, plan, watch) : rehearse(plan, watch)))
  }
  return { imported, report }
}

/** One server of an export, and what its import needs. */
interface Plan {
  one: Survey
  access: GuildAccess | undefined
  discord: DiscordRest | undefined
  rules: PreparedRule[]
  media: ExportMedia
  report: Report
}

const summary = ({ one: { guild, channels, people, emoji, messages }, access }: Plan) => ({
  name: guild.name,
  members: access?.members.length,
  wasDone: false,
  channels: channels.size,
  people: people.size,
  emoji: emoji.size,
  messages,
})

/** Does everything that an import does, except writing. */
async function rehearse(plan: Plan, watch: Watch): Promise<Imported> {
  const { one, media, report } = plan
  const people = new Map<string, number>()
  const account = (id: string) => {
    if (!people.has(id)) people.set(id, people.size + 1)
    return people.get(id)
  }
  const all: Places = { account, role: () => 1, channel: () => 1, emoji: () => 'emoji:1', sticker: () => undefined }
  const converter = new MessageConverter(all, report)
  let messages = 0
  for (const { files } of one.channels.values())
    for (const { path, name } of files)
      for await (const { message } of messagesOf(path, name)) {
        watch.signal.throwIfAborted()
        for (const { files: attachments } of converter.convert(message))
          for (const { filename, address } of attachments)
            await media.find({ folder: dirname(path), url: address }, filename)
        watch.progress({ step: 'messages', messages: ++messages, total: one.messages })
      }
  return { ...summary(plan), server_id: undefined }
}

async function importServer(target: ImportTarget, plan: Plan, watch: Watch): Promise<Imported> {
  const { one, access, discord, rules, media, report } = plan
  const { sql, write, objects, owner_id } = target
  const existing = await begunImport(sql, one.guild.id)
  if (existing && existing.finished_at !== null) {
    await forgetSources(sql, existing.id)
    return { ...summary(plan), members: undefined, server_id: existing.server_id, wasDone: true }
  }
  await target.space.demand()
  watch.progress({ step: 'people', messages: 0, total: one.messages })
  const server = await ImportedServer.open(sql, write, one, owner_id)
  const store = new FileStore(sql, objects)
  await server.makePeople()
  await server.makeRoles(report)
  await server.makeChannels(report)
  const making = { sql, write, server, survey: one, limit: target.environment }
  await makePictures(making, { files: media, store }, report, watch.signal)
  if (access && discord)
    await makeRolePictures(making, { store }, { roles: access.roles, discord }, report, watch.signal)
  let messages = 0
  // Threads come after the channels that contain their first messages.
  const channels = [...one.channels.values()].toSorted((a, b) => Number(isThread(a)) - Number(isThread(b)))
  for (const channel of channels)
    await load(target, { server, channel, report, media, store }, () => {
      watch.signal.throwIfAborted()
      watch.progress({ step: 'messages', messages: ++messages, total: one.messages })
    })
  if (access) await makeMembers(write, server, access)
  await write(async (tx, emit, notify) => {
    await lockServer(tx, server.server_id)
    if (access) await grant(tx, server, one, access)
    await finish(tx, emit, notify, server)
    if (access?.onboarding) await addQuestions(tx, server, access.onboarding, report)
    await addRules(tx, notify, server, rules, report)
  })
  await forgetSources(sql, server.id)
  return { ...summary(plan), server_id: server.server_id }
}

interface Loading {
  server: ImportedServer
  channel: SurveyedChannel
  report: Report
  media: ExportMedia
  store: FileStore
}

/** Writes the messages of a channel that are still missing. @param each called with each message */
async function load(
  { environment, sql, write, space }: ImportTarget,
  { server, channel, report, media, store }: Loading,
  each: () => void,
): Promise<void> {
  const loader = await MessageLoader.open({ sql, write, server, report }, { files: media, store }, channel.id)
  const converter = new MessageConverter(server, report)
  const before = server.doneUntil(channel.id)
  const days = environment.MESSAGE_RETENTION_DAYS
  const oldestMs = days === undefined ? 0 : Date.now() - days * DAY_MS
  let last = before
  const files = channel.files.toSorted((a, b) => ((a.first ?? 0n) < (b.first ?? 0n) ? -1 : 1))
  for (const { path, name } of files) {
    for await (const { message, id } of messagesOf(path, name)) {
      each()
      if (id <= before) continue
      if (id <= last) {
        report.note('twice', `message ${id}`)
        continue
      }
      last = id
      const isOld = message.timestamp < oldestMs
      if (isOld) report.note('old')
      if (await loader.add(id, dirname(path), isOld ? [] : converter.convert(message))) await space.demand()
    }
  }
  await loader.flush()
}

/** Makes the locked server visible: links threads to their first messages, and makes the owner a member. */
async function finish(sql: Transaction, emit: Emit, notify: Notify, server: ImportedServer): Promise<void> {
  const { id, server_id, owner_id } = server
  // A thread has the Discord id of its first message.
  const threadStarts = await sql<{ message_id: number }[]>`
    update channels c set message_id = m.message_id
    from import_parts p join import_messages m on m.import_id = p.import_id and m.source = p.source::bigint
    where p.import_id = ${id} and p.kind = 'channel' and c.id = p.target_id and c.type = 'thread'
      and c.message_id is null and exists (
        select from messages own where own.id = m.message_id and own.channel_id = c.parent_id and own.kind = 'default')
    returning m.message_id`
  await sql`update messages set began_thread = true where id = any(${threadStarts.map((row) => row.message_id)})`
  await sql`update channels c set owner_id = coalesce(
      (select m.author_id from messages m where m.channel_id = c.id order by m.id limit 1), c.owner_id)
    where c.server_id = ${server_id} and c.type = 'thread'`
  await sql`update channels c set first_message_id = (
      select m.id from messages m where m.channel_id = c.id and m.kind = 'default' order by m.id limit 1)
    where c.server_id = ${server_id} and c.tag_ids is not null`
  await join(sql, emit, notify, server_id, { user_id: owner_id, status: 'offline' })
  await sql`update imports set finished_at = now() where id = ${id}`
  const operator = userName() ?? `uid ${process.getuid?.()}`
  await sql`insert into admin_log ${sql({ operator, action: 'import', target_type: 'server', target_id: server_id })}`
  const [span] = await sql<{ first: number | null; last: number | null }[]>`
    select min(message_id) as first, max(message_id) as last from import_messages where import_id = ${id}`
  const { first, last } = found(span)
  // The newest message may be followed by its own further parts.
  if (first !== null && last !== null) await indexAgain(sql, first, last + 100)
}

/** Deletes the ids that a finished import kept to resolve replies. */
async function forgetSources(sql: Database, importId: number): Promise<void> {
  for (let count = ROWS_MAX; count === ROWS_MAX;)
    ({ count } = await sql`delete from import_messages where ctid in (
      select ctid from import_messages where import_id = ${importId} limit ${ROWS_MAX})`)
}
