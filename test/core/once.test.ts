import { expect, test } from 'bun:test'
import { once } from '../../src/core/once.ts'

test('a value is made once, and made again only after a failure', async () => {
  let calls = 0
  const value = once(async () => {
    if (++calls === 1) throw new Error('no file')
    return { calls }
  })
  const first = await Promise.allSettled([value(), value()])
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const [one, two] = await Promise.all([value(), value()])
  expect([one, one === two, one === (await value())]).toEqual([{ calls: 2 }, true, true])
})
