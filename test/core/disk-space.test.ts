import { expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { DiskSpace } from '../../src/core/disk-space.ts'

const noSpace = Object.assign(new Error('No space'), { code: 'ENOSPC' })

test('a part is full if the next write would leave less than the reserve', async () => {
  const changes: boolean[] = []
  const withMin = (freeMinBytes: number) =>
    new DiskSpace(async () => {}, { directory: tmpdir(), freeMinBytes, onChange: (full) => changes.push(full) })
  expect(await withMin(1).isFull()).toBeFalse()
  expect(await withMin(1).isFull(Number.MAX_SAFE_INTEGER)).toBeTrue()
  const full = withMin(Number.MAX_SAFE_INTEGER)
  expect([await full.isFull(), await full.isFull()]).toEqual([true, true])
  expect(full.demand()).rejects.toMatchObject({ code: 'storage_full', status: 507 })
  expect(changes).toEqual([true])
})

test('after a write fails for lack of space, and only then, a part is full until a probe succeeds', async () => {
  let isThereSpace = false
  const part = new DiskSpace(async () => {
    if (!isThereSpace) throw noSpace
  })
  part.note(new Error('Something else'))
  expect(await part.isFull()).toBeFalse()
  part.note(noSpace)
  expect([await part.isFull(), await part.isFull()]).toEqual([true, true])
  isThereSpace = true
  while (await part.isFull()) await Bun.sleep(20)
  expect(await part.isFull()).toBeFalse()
})

test('a directory that cannot be measured makes no part full', async () => {
  const part = new DiskSpace(async () => {}, { directory: '/nowhere', freeMinBytes: Number.MAX_SAFE_INTEGER })
  expect(await part.isFull()).toBeFalse()
})
