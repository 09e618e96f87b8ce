import { expect, test } from 'bun:test'
import { EARLIEST_MS, readSnowflake, shardOf, snowflake } from '../../src/discord/snowflake.ts'
import { discordBits, parleyBits } from '../../src/discord/permissions.ts'
import { ALL_PERMISSIONS, permissions } from '../../src/core/permissions.ts'

test('a million ids become snowflakes of 17 to 19 digits below 2^63, and turn back', () => {
  const now = Date.UTC(2026, 10, 30)
  for (let count = 0; count < 1_000_000; count++) {
    const id = Math.floor(Math.random() * 2 ** 40) + 1
    const ms = EARLIEST_MS + Math.floor(Math.random() * (now - EARLIEST_MS))
    const text = snowflake(id, ms)
    const read = readSnowflake(text)
    if (!/^\d{17,19}$/.test(text) || BigInt(text) >= 2n ** 63n || read?.ms !== ms || read.low !== id % 2 ** 22)
      throw new Error(`${id} of ${ms} became ${text}`)
  }
})

test('snowflakes sort by the time at which a row was made, and a time before 2015 counts as early 2015', () => {
  const times = [Date.UTC(2016), Date.UTC(2020), Date.UTC(2026)]
  const ids = times.map((ms, at) => BigInt(snowflake(100 - at, ms)))
  expect(ids).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)))
  expect(readSnowflake(snowflake(7, Date.UTC(2009)))).toEqual({ ms: EARLIEST_MS, low: 7 })
})

test('only 15 to 19 digits below 2^63 are read as a snowflake', () => {
  for (const text of ['', '0', '42', '-1', '1e17', '../../etc', '9'.repeat(20), '9223372036854775808', '１'.repeat(18)])
    expect(readSnowflake(text)).toBeUndefined()
})

test('shards split servers as Discord does', () => {
  expect(shardOf('197038439483310086', 1)).toBe(0)
  expect(shardOf('197038439483310086', 16)).toBe(Number((197038439483310086n >> 22n) % 16n))
})

test('permissions keep their bits, and what Parley lacks is never granted', () => {
  expect(parleyBits(discordBits(ALL_PERMISSIONS))).toBe(ALL_PERMISSIONS)
  expect(BigInt(discordBits(permissions('send_messages'))) & (1n << 14n)).toBe(1n << 14n)
  expect(parleyBits(String(2n ** 63n - 1n))).toBe(ALL_PERMISSIONS)
  for (const value of ['-1', '0x8', 'all', {}, null, undefined, Number.NaN, '9'.repeat(30)])
    expect(parleyBits(value)).toBe(0)
})
