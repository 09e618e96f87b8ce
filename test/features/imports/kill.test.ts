import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { objectsDirectory } from '../../../src/storage/open-objects.ts'
import { openObject } from '../../../src/storage/object-files.ts'
import { boot, person } from '../../support/harness.ts'
import { ended, exported, exportedChannel, imports, runImport, startImport } from '../../support/imports.ts'
import { SPAWN_MS } from '../../support/spawned.ts'
import { until } from '../../support/until.ts'
import { png } from '../../support/uploads.ts'

const parley = await boot()
const { sql, environment } = parley.parts
const alice = await person(parley, 'alice')
const owner = ['--owner', String(alice.id)]
/** More than two transactions can store. */
const COUNT = 120
const CHANNEL = '960000000000000001'
const picture = Buffer.from(await png(64, 48))
const nameOf = (at: number) => (at % 2 === 0 ? `note-${at}.txt` : `owl-${at}.png`)
const bytesOf = (at: number) => (at % 2 === 0 ? Buffer.from(`Note ${at}`) : picture)

/** An export whose messages have a file each, and every third has a picture in an embed. */
function exportOf(guild: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'export-'))
  mkdirSync(join(folder, 'media'))
  writeFileSync(join(folder, 'media/owl.png'), picture)
  const messages = Array.from({ length: COUNT }, (_, at) => {
    const fileName = nameOf(at)
    writeFileSync(join(folder, 'media', fileName), bytesOf(at))
    const image = { url: 'media/owl.png', width: 64, height: 48 }
    return exported(String(900_000_000_000_000_000n + BigInt(at)), `Message ${at}`, {
      attachments: [{ id: String(at + 1), url: `media/${fileName}`, fileName, fileSizeBytes: 1 }],
      embeds: at % 3 === 0 ? [{ title: `Card ${at}`, url: 'https://example.org', image, fields: [] }] : [],
    })
  })
  const exportDocument = { ...exportedChannel(messages), guild: { id: guild, name: 'Files' } }
  writeFileSync(join(folder, 'one.json'), JSON.stringify(exportDocument))
  return folder
}

const count = async (query: PromiseLike<{ count: number }[]>) => (await query)[0]?.count ?? 0
/** Objects that are stored but not yet recorded. */
const guarded = () => count(sql`select count(*)::int as count from object_outbox where due_at > now()`)

/** Blocks an import from recording messages of its channel, once it has made the channel. */
async function holding(guild: string, work: () => Promise<void>): Promise<void> {
  const part = (lock: ReturnType<typeof sql>) => sql`
    select 1 from import_parts p join imports i on i.id = p.import_id
    where i.source = ${guild} and p.kind = 'channel' and p.source = ${CHANNEL} ${lock}`
  await until(async () => (await part(sql``)).length > 0, SPAWN_MS)
  await sql.begin(async (tx) => {
    // The wait for the lock may take long on a busy machine.
    await tx`set local statement_timeout = 0`
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`${part(tx`for update of p`)}`
    await work()
  })
}

/** Checks that the import of an export is complete: each message, file and picture once, and no other object. */
async function demandWhole(guild: string): Promise<void> {
  const [{ server_id }] = await sql<[{ server_id: number }]>`select server_id from imports where source = ${guild}`
  const rows = await sql<{ content: string; files: { filename: string; key: string }[]; cards: number }[]>`
    select m.content, json_array_length(coalesce(m.embeds, '[]')) as cards,
      (select json_agg(json_build_object('filename', f.filename, 'key', f.key)) from files f
        where f.message_id = m.id) as files
    from messages m join channels c on c.id = m.channel_id where c.server_id = ${server_id} order by m.id`
  expect(rows.map(({ content }) => content)).toEqual(Array.from({ length: COUNT }, (_, at) => `Message ${at}`))
  expect(rows.map(({ cards }) => cards)).toEqual(rows.map((_, at) => (at % 3 === 0 ? 1 : 0)))
  const directory = objectsDirectory(environment)
  for (const [at, { files }] of rows.entries()) {
    expect(files.map(({ filename }) => filename)).toEqual([nameOf(at)])
    const object = await openObject(directory, files[0]?.key ?? '')
    const bytes = Buffer.concat(await Array.fromAsync(object?.bytes ?? []))
    expect(bytes.equals(bytesOf(at))).toBe(true)
  }
  // Stored but unrecorded objects are deleted.
  await sql`update object_outbox set due_at = now()`
  await until(async () => {
    await parley.sweep()
    return (await sql`select 1 from object_outbox`).length === 0
  })
  const recorded = await count(sql`select (select count(key) + count(thumbnail_key) from files)::int
    + (select count(*) from preview_pictures)::int + (select count(*) from emojis)::int as count`)
  const shards = readdirSync(directory).filter((name) => /^[0-9a-f]{2}$/.test(name))
  const stored = () => shards.flatMap((shard) => readdirSync(join(directory, shard))).length
  // The store's probe object exists now and then.
  await until(() => stored() === recorded)
  expect(existsSync(`${directory}.importing`)).toBe(false)
}

test(
  'an import that is killed while it stores files goes on: nothing is doubled, and nothing is lost',
  async () => {
    const guild = '911111111111111121'
    const folder = exportOf(guild)
    const first = startImport(parley, folder, ...owner)
    await holding(guild, async () => {
      // Fifty files are stored, but not recorded.
      await until(async () => (await guarded()) >= 50, SPAWN_MS)
      first.kill('SIGKILL')
      await first.exited
    })
    const before = await guarded()
    const second = startImport(parley, folder, ...owner)
    await until(async () => second.exitCode !== null || (await guarded()) > before + 5, SPAWN_MS)
    second.kill('SIGKILL')
    await second.exited
    await imports(parley, folder, ...owner)
    await demandWhole(guild)
    expect(await imports(parley, folder, ...owner)).toContain('was imported before')
    await demandWhole(guild)
  },
  4 * SPAWN_MS,
)

test(
  'a second import during another is refused in one sentence, and does the first no harm',
  async () => {
    const guild = '911111111111111122'
    const folder = exportOf(guild)
    const first = startImport(parley, folder, ...owner)
    await holding(guild, async () => {
      await until(async () => (await guarded()) > 0, SPAWN_MS)
      const others = [folder, exportOf('911111111111111123')]
      const refused = await Promise.all(others.map((other) => runImport(parley, other, ...owner)))
      const refusal = { out: '', error: 'Another import is running.\n', code: 1 }
      expect(refused).toEqual([refusal, refusal])
    })
    expect(await ended(first)).toMatchObject({ error: '', code: 0 })
    await demandWhole(guild)
    expect(await sql`select 1 from imports where source = '911111111111111123'`).toHaveLength(0)
  },
  4 * SPAWN_MS,
)
