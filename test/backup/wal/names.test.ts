import { expect, test } from 'bun:test'
import { contiguous, lsnOf, lsnText, pieceName, pieceOf, segmentName } from '../../../src/backup/wal/names.ts'
import { splitAtSegments } from '../../../src/backup/wal/segments.ts'
import { s3Place } from '../../../src/core/wal-variables.ts'

const MIB = 1024 ** 2
const piece = (from: number, to: number, at?: number) => pieceOf(pieceName(BigInt(from), BigInt(to), at))

test('positions and names of segments are those of PostgreSQL', () => {
  expect(lsnText(lsnOf('16/B374D848'))).toBe('16/B374D848')
  expect(segmentName(1, lsnOf('0/2256000'), 16 * MIB)).toBe('000000010000000000000002')
  expect(segmentName(17, lsnOf('16/B374D848'), 16 * MIB)).toBe('0000001100000016000000B3')
})

test('a run of the WAL is split at the ends of segments', () => {
  const from = lsnOf('0/FF0000')
  const runs = [...splitAtSegments(from, lsnOf('0/2000010'), 16 * MIB)].map((run) => run.map(lsnText).join(' '))
  expect(runs).toEqual(['0/FF0000 0/1000000', '0/1000000 0/2000000', '0/2000000 0/2000010'])
  expect([...splitAtSegments(from, from, 16 * MIB)]).toEqual([])
})

test('pieces are used up to the first gap, and one that was written again is used once', () => {
  const named = [
    piece(0, 8),
    piece(8, 12, 1_700_000_000_000),
    piece(8, 10),
    piece(10, 12),
    piece(12, 20),
    piece(24, 30),
  ]
  const pieces = named.flatMap((one) => one ?? [])
  expect(pieces).toHaveLength(6)
  expect([...contiguous(pieces, 0n)].map(({ from, to }) => [Number(from), Number(to)])).toEqual([
    [0, 8],
    [8, 12],
    [12, 20],
  ])
  expect([...contiguous(pieces, 22n)]).toEqual([])
  expect(pieceOf('0000000000000008-0000000000000004.zst')).toBeUndefined()
  expect(pieceOf('../secrets')).toBeUndefined()
})

test('an archive in S3 has a bucket and perhaps a prefix', () => {
  expect(s3Place('s3://backups')).toEqual({ bucket: 'backups', prefix: '' })
  expect(s3Place('s3://backups/a/b/')).toEqual({ bucket: 'backups', prefix: 'a/b/' })
  expect(s3Place('/mnt/archive')).toBeUndefined()
})
