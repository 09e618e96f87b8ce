import { expect, test } from 'bun:test'
import { demandVersion } from '../../src/database/reach.ts'

test('a PostgreSQL before 15 is refused with one sentence, and every later one is accepted', () => {
  for (const version of [90_624, 140_018])
    expect(() => demandVersion(version)).toThrow(
      /^DATABASE_URL is not usable: PostgreSQL \d+ is too old, 15 is needed\.$/,
    )
  for (const version of [150_000, 180_004]) expect(() => demandVersion(version)).not.toThrow()
})
