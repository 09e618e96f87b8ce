import { expect, test } from 'bun:test'
import type { Transaction } from '../../../src/database/database.ts'
import { searchUsers } from '../../../src/features/users/search.ts'
import { folded } from '../../../src/core/words.ts'
import { boot, type Person, standard, stop } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'

const parley = await standard()
const { sql } = parley.parts
const search = async (who: Person, q: string) => {
  const answer = await who.get(`/api/users/search?q=${encodeURIComponent(q)}`)
  expect(answer.status).toBe(200)
  return answer.body as { id: number; display_name: string }[]
}
const found = async (who: Person, q: string, other: Person) => (await search(who, q)).some(({ id }) => id === other.id)
const rename = (who: Person, displayName: string) =>
  sql`update users set display_name = ${displayName} where id = ${who.id}`

test('a search finds a whole username in any case, and no part of one', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  expect(await found(alice, bob.username, bob)).toBe(true)
  expect(await found(alice, bob.username.toUpperCase(), bob)).toBe(true)
  expect(await found(alice, ` ${bob.username} `, bob)).toBe(true)
  for (const part of [
    bob.username.slice(0, -1),
    bob.username.slice(1),
    `${bob.username.slice(0, 4)}%`,
    `${bob.username.slice(0, -1)}_`,
  ])
    expect(await found(alice, part, bob)).toBe(false)
})

test('no spelling of an e-mail address finds its account', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  for (const q of [bob.email, bob.email.split('@')[0] + '@', '@example.org', 'example', bob.email.toUpperCase()])
    expect(await found(alice, q, bob)).toBe(false)
})

test('a search finds any part of a display name, in any script: beginning, middle, end, two letters', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  await rename(bob, 'Zyxwv Größe 100% \\_ 🦊🦉鳥類学')
  const parts = ['Zyx', 'zyxWV', 'xw', 'größe', 'GRÖ', '100%', '0% \\', '\\_', '🦊🦉', '鳥類', '類学', 'wv grö']
  for (const part of parts) expect({ part, found: await found(alice, part, bob) }).toEqual({ part, found: true })
  for (const part of ['zyx_v', 'z%v', 'vw', '🦉🦊', '学鳥', 'größer'])
    expect({ part, found: await found(alice, part, bob) }).toEqual({ part, found: false })
})

/** Names, and the searches that must find them. */
const TYPED: Record<string, string[]> = {
  'José Núñez': ['jose', 'JOSE NUNEZ', 'josé', 'jose\u0301', 'sé nu'],
  'Jose Plain': ['josé', 'plaín'],
  ＦＵＬＬＷＩＤＴＨ: ['fullwidth', 'llw', 'ｆｕｌｌ'],
  'İrem Işık': ['irem', 'İREM', 'isik', 'ışık'],
  'Straße Übergröße': ['strasse', 'STRAẞE', 'ubergrosse', 'ÜBER'],
  'Łukasz Ørsted Đức': ['lukasz', 'orsted', 'duc'],
  'Ægir Þórr': ['aegir', 'thorr'],
  'Ἀθηνᾶ ΣΟΦΟΣ': ['αθηνα', 'σοφος'],
  'Ёлка Йод': ['елка', 'иод'],
  'علی کریم': ['علي', 'كريم'],
  ｶﾞﾘﾚｵ: ['ガリレオ', 'リレ'],
  한국사람: ['국사', '한국'],
}

test('a search finds a name without accents, case and width, and by letters that keyboards exchange', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  for (const [name, typed] of Object.entries(TYPED)) {
    await rename(bob, name)
    for (const q of typed) expect({ name, q, found: await found(alice, q, bob) }).toEqual({ name, q, found: true })
  }
  await rename(bob, 'José Núñez')
  // A letter with its accent is one letter; marks are none; and no compatibility form becomes a wildcard.
  for (const q of ['n\u0306', '\u0301\u0301', '％％', '＿＿', 'josa'])
    expect({ q, found: await found(alice, q, bob) }).toEqual({ q, found: false })
  const [{ username }] = await sql<[{ username: string }]>`select username from users where id = ${bob.id}`
  expect(
    await found(
      alice,
      username.replace(/[aeou]/, (letter) => `${letter}\u0301`),
      bob,
    ),
  ).toBe(false)
})

test('the database folds names as the client does', async () => {
  const texts = Object.entries(TYPED).flatMap(([name, typed]) => [name, ...typed])
  const rows = await sql<{ text: string; key: string }[]>`
    select text, name_key(text) as key from unnest(${texts}::text[]) text`
  expect(rows.map(({ key }) => key)).toEqual(texts.map(folded))
})

test('a search finds at most twenty accounts; a username’s match is among them, in no special place', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const word = bob.username.replaceAll('-', '')
  await sql`update users set username = ${word}, display_name = ${`M ${word}`} where id = ${bob.id}`
  const crowd = await passersBy(parley, ...Array.from({ length: 25 }, () => 'crowd'))
  for (const [n, who] of crowd.entries()) await rename(who, `${String.fromCharCode(65 + n)} ${word}`)
  const rows = await search(alice, word)
  expect(rows).toHaveLength(20)
  expect(rows.some(({ id }) => id === bob.id)).toBe(true)
  const names = rows.map((row) => row.display_name.toLowerCase())
  expect(names).toEqual(names.toSorted())
  for (const row of rows) expect(Object.keys(row).toSorted()).toEqual(['avatar_file_id', 'display_name', 'id', 'kind'])
})

test('a search for less than two characters, more than 64, or none is refused', async () => {
  const [alice] = await passersBy(parley, 'alice')
  for (const query of ['', '?q=', '?q=a', '?q=%20a%20', `?q=${'a'.repeat(65)}`, '?q=a%00b', '?q=ab&q=cd'])
    expect((await alice.get(`/api/users/search${query}`)).status).toBe(422)
  expect((await alice.get(`/api/users/search?q=${encodeURIComponent('🦊'.repeat(64))}`)).status).toBe(200)
})

test('GET by id returns the public fields of an account and no others', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  expect((await alice.get(`/api/users/${bob.id}`)).body).toEqual({
    id: bob.id,
    display_name: bob.display_name,
    avatar_file_id: null,
    kind: 'person',
  })
  expect((await alice.get(`/api/users/${2 ** 50}`)).status).toBe(404)
})

test('a search without a match never scans all accounts', async () => {
  const crowded = await boot()
  const { sql } = crowded.parts
  await sql`insert into users (username, email, password_hash, display_name)
    select 'user' || n, 'user' || n || '@example.org', 'none', 'Otter#' || n from generate_series(1, 20000) n`
  await sql`vacuum analyze users`
  const counted = (tx: Transaction) => tx<[{ read: number }]>`
    select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = 'users'`
  // A frequent search gets a generic plan.
  for (const mode of ['force_custom_plan', 'force_generic_plan'])
    // Numbers other than digits are in no trigram.
    for (const q of ['zzz', 'reno', 'user77', '4#', 'r z', '¼½¾', '०१२'])
      await sql.begin(async (tx) => {
        await tx`select set_config('plan_cache_mode', ${mode}, true)`
        const [before] = await counted(tx)
        await searchUsers(tx, 1, q)
        const [after] = await counted(tx)
        expect({ mode, q, few: after.read - before.read < 10_000 }).toEqual({ mode, q, few: true })
      })
  await stop(crowded)
})

test('guessing usernames runs into a rate limit', async () => {
  const strict = await boot({ RATE_LIMITS: 'on' })
  const [alice] = await passersBy(strict, 'alice')
  const statuses: number[] = []
  // One more is allowed every two seconds.
  for (let n = 0; n < 40 && !statuses.includes(429); n++)
    statuses.push((await alice.get(`/api/users/search?q=guess${n}`)).status)
  expect(statuses.slice(0, 20)).toEqual(Array(20).fill(200))
  expect(statuses).toContain(429)
  const requests: number[] = []
  for (let n = 0; n < 22; n++)
    requests.push((await alice.post('/api/friends/request', { friend_id: 10_000 + n })).status)
  expect(requests.slice(20)).toContain(429)
  await stop(strict)
})
