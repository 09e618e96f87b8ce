import { expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NOTICE_LISTENER_NAME, openDatabase } from '../../src/database/database.ts'
import { migrate, nextUpgrade } from '../../src/database/migrate.ts'
import { kindOf, kindOfAll } from '../../src/database/migration-kinds.ts'
import { Sending, Watching } from '../support/failover.ts'
import { boot, createPrepared, newServer, person, stop, until } from '../support/harness.ts'
import { dataDirectory, emptyDatabase, SPAWN_MS } from '../support/spawned.ts'

const root = join(import.meta.dir, '../..')
const SQL = join(root, 'sql')
const names = readdirSync(SQL)
  .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
  .sort()
const read = (name: string) => readFileSync(join(SQL, name), 'utf8')

/** The migrations that landed before migrations stated their kind: each is a break, and their bytes may not change. */
const WITHOUT_KIND = new Set(
  `
  0001 0002 0003 0004 0005 0006 0007 0008 0009 0010 0011 0013 0014 0015 0016 0017 0018 0019 0020 0021 0022 0023
  0024 0029 0030 0031 0032 0034 0035 0036 0037 0038 0039 0040 0042 0044 0047 0048 0049 0050 0051 0053 0056 0058
  0060 0062 0063 0065 0067 0068 0070 0072 0074 0075 0076 0077 0079 0080 0081 0091 0102 0103 0104 0120 0121 0130
  0135 0140 0141 0142 0143 0145 0146 0147 0149 0150 0151 0152 0153 0154 0155 0156 0157 0158 0159 0160 0161 0162
  0163 0164 0165 0167 0168 0169 0170 0171 0172 0175 0180 0181 0182 0184 0185 0186 0187 0190 0191 0192 0193 0194
  0200 0201 0205 0206 0208 0209 0210 0211 0212 0213 0214 0215 0216
  `
    .trim()
    .split(/\s+/),
)

/** Statements by which a server of an earlier version could fail, or lose what it expects. */
const NARROWING = new RegExp(
  String.raw`\b(?:drop|rename|truncate|(?<!\bon )delete|update|alter column|add constraint|set not null|` +
    String.raw`create (?:unique|trigger|rule))\b`,
  'i',
)
/** A new column that an earlier version does not fill. */
const DEMANDED_COLUMN = /\badd column\b(?![^,;]*\bdefault\b)[^,;]*\bnot null\b/i
const withoutComments = (source: string) => source.replace(/--.*$/gm, '')

test('the first line of every migration says expand or break, except of those that landed before', () => {
  const silent = names.filter((name) => !/^-- kind: (?:expand|break)\n/.test(read(name)))
  expect(silent.filter((name) => !WITHOUT_KIND.has(name.slice(0, 4)))).toEqual([])
  expect(silent.map((name) => name.slice(0, 4))).toEqual([...WITHOUT_KIND])
})

test('an expansion only adds: it drops, renames and narrows nothing, and demands no value of a new column', () => {
  const isNarrowing = (source: string) =>
    NARROWING.test(withoutComments(source)) || DEMANDED_COLUMN.test(withoutComments(source))
  for (const source of [
    'alter table a drop column b;',
    'alter table a rename to b;',
    'alter table a add column b int not null, add column c int;',
    'create unique index a_b on a (b);',
  ])
    expect(isNarrowing(source)).toBe(true)
  for (const source of [
    'alter table a add column b int not null default 0, add column c text; -- drop',
    'create table a (b int not null references b (id) on delete cascade);',
  ])
    expect(isNarrowing(source)).toBe(false)
  const expansions = names.map(read).filter((source) => kindOf(source) === 'expand')
  expect(expansions.filter(isNarrowing)).toEqual([])
})

test('an upgrade is an expansion only if every migration is one, and there is one', () => {
  expect(['-- kind: expand\n', '-- kind: break\n', '-- Other\n-- kind: expand\n', ''].map(kindOf)).toEqual([
    'expand',
    'break',
    'break',
    'break',
  ])
  expect([kindOfAll(['expand', 'expand']), kindOfAll(['expand', 'break']), kindOfAll([])]).toEqual([
    'expand',
    'break',
    'break',
  ])
})

/** The schema of a later version: this one's, with other migrations. */
function laterVersion(others: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'later-'))
  cpSync(SQL, folder, { recursive: true })
  for (const [name, source] of Object.entries(others)) writeFileSync(join(folder, name), source)
  return folder
}

const ADDS = '-- kind: expand\nalter table channels add column weight int not null default 1;'

test('the next upgrade is named before: none, an expansion, or a break, also of functions only', async () => {
  const sql = openDatabase({ url: await createPrepared('kinds') }, 1)
  await migrate(sql)
  const newest = names.at(-1)
  expect(await nextUpgrade(sql)).toMatchObject({ newest, pending: [], hasStaleFunctions: false, kind: undefined })
  const expansion = { '9990_adds.sql': ADDS }
  expect(await nextUpgrade(sql, laterVersion(expansion))).toMatchObject({
    pending: [{ name: '9990_adds.sql', kind: 'expand' }],
    kind: 'expand',
  })
  const both = laterVersion({ ...expansion, '9991_drops.sql': 'alter table channels drop column weight;' })
  expect(await nextUpgrade(sql, both)).toMatchObject({ pending: [{}, { kind: 'break' }], kind: 'break' })
  await sql`update installed_functions set digest = 'another' where name = (select min(name) from installed_functions)`
  expect(await nextUpgrade(sql)).toMatchObject({ pending: [], hasStaleFunctions: true, kind: 'break' })
  expect(await sql`select from information_schema.columns where column_name = 'weight'`).toHaveLength(0)
  await sql.end()
})

test('a break, or a change of functions only, is refused while a server runs', async () => {
  const url = await createPrepared('breaks')
  const [server, sql] = [openDatabase({ url }, 1, NOTICE_LISTENER_NAME), openDatabase({ url }, 1)]
  await migrate(sql)
  await server`select 1`
  const both = laterVersion({ '9990_adds.sql': ADDS, '9991_drops.sql': '-- kind: break\ndrop table reactions;' })
  await expect(migrate(sql, { folder: both })).rejects.toThrow('stop it first')
  await sql`update installed_functions set digest = 'another'`
  await expect(migrate(sql)).rejects.toThrow('stop it first')
  await Promise.all([server.end(), sql.end()])
})

test(
  'an expansion runs next to a server at work: no request fails otherwise than by 503, and no message is lost',
  async () => {
    const parley = await boot()
    const url = parley.parts.environment.DATABASE_URL ?? ''
    const people = await Promise.all(['alice', 'bob', 'carol'].map((name) => person(parley, name)))
    const [alice, ...others] = people
    if (!alice) throw new Error('three people')
    const { channel_id } = await newServer(alice, ...others)
    const watching = await Watching.open(alice)
    const sendings = people.map((who) => new Sending(who, channel_id))
    const sent = () => sendings.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
    const sendMore = async () => {
      const before = sent()
      await until(() => sent() > before + 30)
    }
    await sendMore()

    // A long transaction reads the table: the change waits for it, and servers do not wait for the change.
    const [reader, sql] = [openDatabase({ url }, 1), openDatabase({ url }, 2)]
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const reading = reader.begin(async (tx) => {
      await tx`lock table channels in access share mode`
      begun.resolve()
      await end.promise
    })
    await begun.promise
    let isMigrated = false
    const folder = laterVersion({ '9990_adds.sql': ADDS })
    const migrating = migrate(sql, { folder }).then((ran) => {
      isMigrated = true
      return ran
    })
    const isWaiting = async () =>
      (
        await sql`select from pg_locks where relation = 'channels'::regclass and mode = 'AccessExclusiveLock'
        and not granted`
      ).length > 0
    await until(isWaiting)
    await sendMore()
    expect(isMigrated).toBe(false)
    end.resolve()
    await reading
    expect(await migrating).toEqual(['9990_adds.sql'])

    await sendMore()
    await Promise.all(sendings.map((sending) => sending.end()))
    expect([...new Set(sendings.flatMap(({ refusals }) => refusals))].filter((status) => status !== 503)).toEqual([])
    const contents = sendings.flatMap(({ acknowledged }) => acknowledged.map(({ content }) => content))
    await until(() => contents.every((content) => watching.contents().has(content)))
    expect([watching.codes, watching.faults]).toEqual([[], []])
    await watching.end()
    for (const who of people)
      expect((await who.get(`/api/channels/${channel_id}/messages?limit=5`)).body).toHaveLength(5)
    await expect(boot({}, parley)).rejects.toThrow('The database has run sql/9990_adds.sql')
    await Promise.all([reader.end(), sql.end()])
    await stop(parley)
  },
  SPAWN_MS,
)

/** Runs `bun run upgrade` as an operator does. */
async function upgrade(variables: Record<string, string>, ...words: string[]) {
  const child = Bun.spawn([process.execPath, 'src/cli/upgrade.ts', ...words], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', ...variables },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, error }
}

test(
  '`bun run upgrade --check` names the kind of the next start, changes nothing, and its exit code tells a break',
  async () => {
    const url = await emptyDatabase('check')
    const variables = { DATABASE_URL: url, DATA_DIR: dataDirectory() }
    const empty = await upgrade(variables, '--check')
    expect([empty.code, empty.out]).toEqual([1, ''])
    expect(empty.error).toContain('There is no Parley in this database')

    const earlier = mkdtempSync(join(tmpdir(), 'earlier-'))
    const earlierNames = names.filter((name) => name < '0019')
    for (const name of earlierNames) cpSync(join(SQL, name), join(earlier, name))
    const sql = openDatabase({ url }, 1)
    await migrate(sql, { folder: earlier })
    const before = await upgrade(variables, '--check')
    expect([before.code, before.error]).toEqual([3, ''])
    expect(before.out).toContain('\nbreak  sql/0019_backups.sql\n')
    expect(before.out).toContain(`  sql/${names.at(-1)}\n`)
    expect(before.out).toMatch(/^break: stop every server before Parley [\d.]+ starts\.$/m)
    expect((await sql`select from migrations`).length).toBe(earlierNames.length)
    await migrate(sql)
    const after = await upgrade(variables, '--check')
    expect([after.code, after.error]).toEqual([0, ''])
    expect(after.out).toMatch(/^Parley [\d.]+ would change nothing\.$/m)
    for (const words of [[], ['--now'], ['--check', 'more']]) {
      const { code, out } = await upgrade(variables, ...words)
      expect([code > 0, out]).toEqual([true, ''])
    }
    await sql.end()
  },
  SPAWN_MS,
)
