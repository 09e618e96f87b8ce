import { expect, test } from 'bun:test'
import { openDatabase } from '../../src/database/database.ts'
import { TABLES } from '../../src/discord/fact-queries.ts'
import { Ids } from '../../src/discord/ids.ts'
import type { Kind } from '../../src/discord/lookup.ts'
import { EARLIEST_MS, ID_BITS, snowflake } from '../../src/discord/snowflake.ts'
import { createDatabase } from '../support/harness.ts'

// Ids of each kind there and back, by the statements of the server. Temporary tables of one connection stand in for its
// own: they have the same names, and only the columns that the statements read. Over all kinds these are more than a
// million ids. A million of each would take minutes: only to make the rows costs 4 µs each, and the statement 5 µs.

const COUNT = 80_000
const STEP = 10_000
/** The ids end above the span in which the lowest bits tell them apart, so that each snowflake is probed twice. */
const FIRST = 2 ** ID_BITS - COUNT / 2
/** About a hundred rows share a millisecond, as in an import. */
const ROWS_PER_MS = 100
const BEGAN_MS = Date.UTC(2026, 0, 1)

const address = await createDatabase('ids')

/** When a row was made: every thousandth before Discord began, as imported ones may be. */
const madeAt = (id: number) => (id % 1000 === 0 ? Date.UTC(2009, 0, 1) : BEGAN_MS + Math.floor(id / ROWS_PER_MS))

for (const [kind, table] of Object.entries(TABLES) as [Kind, string][])
  test(`eighty thousand ids of ${table} become snowflakes and turn back`, async () => {
    const sql = openDatabase({ url: address }, 1)
    try {
      await sql.unsafe(`create temp table ${table} (id bigint primary key, created_at timestamptz(3) not null,
        server_id bigint, is_everyone boolean not null default false)`)
      if (kind === 'role')
        await sql.unsafe('create temp table servers (id bigint primary key, created_at timestamptz(3))')
      await sql`insert into ${sql(table)} (id, created_at)
        select n, to_timestamp((case when n % 1000 = 0 then ${Date.UTC(2009, 0, 1)}::bigint
          else ${BEGAN_MS}::bigint + n / ${ROWS_PER_MS} end) / 1000.0)
        from generate_series(${FIRST}::bigint, ${FIRST + COUNT - 1}) n`
      await sql.unsafe(`analyze ${table}`)
      const ids = new Ids(sql)
      let wrong = 0
      for (let first = FIRST; first < FIRST + COUNT; first += STEP) {
        const names = Array.from({ length: STEP }, (_, at) => ({
          kind,
          snowflake: snowflake(first + at, madeAt(first + at)),
        }))
        for (const name of names)
          if (!/^\d{15,19}$/.test(name.snowflake) || BigInt(name.snowflake) >= 2n ** 63n) wrong++
        const idOf = await ids.findAll(names)
        for (const [at, name] of names.entries()) if (idOf(kind, name.snowflake) !== first + at) wrong++
      }
      expect(wrong).toBe(0)
      // A snowflake of a row that was never made, of each time.
      for (const ms of [EARLIEST_MS, BEGAN_MS, BEGAN_MS - 1, Date.UTC(2100)])
        expect(await ids.find(kind, snowflake(3, ms))).toBeUndefined()
    } finally {
      await sql.end()
    }
  }, 240_000)
