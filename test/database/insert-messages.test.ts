import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { person, newServer, standard } from '../support/harness.ts'

const root = join(import.meta.dir, '../..')

test('one function writes every message', () => {
  const found = (pattern: string) => [...new Bun.Glob(pattern).scanSync({ cwd: root })]
  const sources = [...found('sql/functions/**/*.sql'), ...found('src/**/*.ts')]
  const writing = sources.filter((file) => /insert\s+into\s+messages\b/i.test(readFileSync(join(root, file), 'utf8')))
  expect(writing).toEqual(['sql/functions/messages/insert_messages.sql'])
})

/** Columns that only a later change of a message sets. */
const SET_LATER = ['receipt_at', 'began_thread', 'previewed_version', 'calls_by_edit']

test('a message is written with every column that its caller names, and the defaults of the others', async () => {
  const { sql } = (await standard()).parts
  const alice = await person(await standard(), 'alice')
  const bob = await person(await standard(), 'bob')
  const { channel_id } = await newServer(alice, bob)
  const at = '2020-01-02T03:04:05.678Z'
  const times = { created_at: at, edited_at: at, read_at: at, pinned_at: at }
  const others = {
    channel_id,
    author_id: alice.id,
    content: 'A kingfisher!',
    id: 9_000_000_000_001,
    kind: 'pinned',
    mention_ids: [bob.id],
    mention_role_ids: [7, 8],
    mention_everyone: true,
    mention_here: true,
    reply_to_id: 11,
    reply_mention: false,
    nonce: 'a-nonce',
    recipient_id: bob.id,
    forwarded_id: 12,
    forwarded: { content: 'forwarded' },
    data: { silent: true },
    reacted: true,
    embeds: [{ title: 'db-1' }],
    embeds_suppressed: true,
    author_name: 'Grafana',
    polled: true,
    sticker_id: 13,
  }
  const named = { ...others, ...times }
  const types = await sql<{ name: keyof typeof named; type: string; fallback: string | null; isNeeded: boolean }[]>`
    select attname as name, format_type(atttypid, null) as type, attnotnull as "isNeeded",
      pg_get_expr(adbin, adrelid) as fallback
    from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attrelid = 'messages'::regclass and attnum > 0 and not attisdropped`
  const columns = types.map(({ name }) => name)
  expect(columns.filter((name) => !SET_LATER.includes(name)).toSorted()).toEqual(
    (Object.keys(named) as (keyof typeof named)[]).toSorted(),
  )

  const whole = types
    .filter(({ name }) => name in named)
    .map(({ name, type }) => {
      const value = named[name]
      const isJson = type === 'json'
      const text = isJson ? JSON.stringify(value) : Array.isArray(value) ? `{${value.join()}}` : String(value)
      return `${name} => '${text}'::${type}`
    })
  await sql.begin(async (transaction) => {
    const [row] = await transaction.unsafe(
      `select row_to_json(m) as message from insert_messages(array[new_message(${whole.join(', ')})]) m`,
    )
    const message = row?.message ?? {}
    expect(message).toMatchObject(others)
    for (const name of Object.keys(times)) expect(new Date(message[name]).toISOString()).toBe(at)

    const least = `channel_id => ${channel_id}, author_id => ${alice.id}, content => 'x'`
    const [bare] = await transaction.unsafe(`select m.* from insert_messages(array[new_message(${least})]) m`)
    const [inserted] = await transaction.unsafe(
      `insert into messages (channel_id, author_id, content) values (${channel_id}, ${alice.id}, 'x') returning *`,
    )
    expect({ ...bare, id: 0 }).toEqual({ ...inserted, id: 0 })
    expect(inserted?.id).toBeGreaterThan(bare?.id)
  })
})
