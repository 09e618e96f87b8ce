import { expect, test } from 'bun:test'
import { inTurn } from '../../../src/web/device/show-notice.ts'

test('a notice waits for the one before, but not for minutes if that one hangs', async () => {
  const done: string[] = []
  const first = inTurn(async () => {
    await Bun.sleep(20)
    done.push('first')
  })
  await inTurn(async () => done.push('second'))
  expect(done).toEqual(['first', 'second'])
  await first
  void inTurn(() => new Promise(() => {}))
  await inTurn(async () => done.push('after one that hangs'))
  expect(done.at(-1)).toBe('after one that hangs')
  await expect(inTurn(() => Promise.reject(new Error('not shown')))).rejects.toThrow('not shown')
  expect(await inTurn(async () => 'shown')).toBe('shown')
})
