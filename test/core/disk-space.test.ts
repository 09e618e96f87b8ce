import { expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { DiskSpace } from '../../src/core/disk-space.ts'

const noSpace = Object.assign(new Error('No space'), { code: 'ENOSPC' })

test('a part is full if the next write would leave less than the reserve', async () => {
  const changes: boolean[] = []
  const with_min = (free_min_bytes: number) =>
    new DiskSpace(async () => {}, { directory: tmpdir(), free_min_bytes, onChange: (full) => changes.push(full) })
  expect(await with_min(1).isFull()).toBeFalse()
  expect(await with_min(1).isFull(Number.MAX_SAFE_INTEGER)).toBeTrue()
  const full = with_min(Number.MAX_SAFE_INTEGER)
  expect([await full.isFull(), await full.isFull()]).toEqual([true, true])
  expect(full.demand()).rejects.toMatchObject({ code: 'storage_full', status: 507 })
  expect(changes).toEqual([true])
})

test('after a write fails for lack of space, and only then, a part is full until a probe succeeds', async () => {
  let there_is_space = false
  const part = new DiskSpace(async () => {
    if (!there_is_space) throw noSpace
  })
  part.note(new Error('Something else'))
  expect(await part.isFull()).toBeFalse()
  part.note(noSpace)
  expect([await part.isFull(), await part.isFull()]).toEqual([true, true])
  there_is_space = true
  while (await part.isFull()) await Bun.sleep(20)
  expect(await part.isFull()).toBeFalse()
})

test('a directory that cannot be measured makes no part full', async () => {
  const part = new DiskSpace(async () => {}, { directory: '/nowhere', free_min_bytes: Number.MAX_SAFE_INTEGER })
  expect(await part.isFull()).toBeFalse()
})
