import { expect, test } from 'bun:test'
import { withWholeIds } from '../../src/discord/whole-ids.ts'

const changed = (json: string): string => Buffer.from(withWholeIds(Buffer.from(json))).toString()

test('ids that are written as numbers keep every digit', () => {
  expect(changed('{"id":1576839091671007233,"roles":[1576839091671007234, 1576839091671007235]}')).toBe(
    '{"id":"1576839091671007233","roles":["1576839091671007234", "1576839091671007235"]}',
  )
})

test('texts and other numbers stay as they are', () => {
  for (const json of [
    '{"content":"the id 1576839091671007233, \\"1576839091671007233\\" and ✓"}',
    '{"a":1,"b":-1576839091671007233,"c":0.1576839091671007233,"d":1576839091671007233.5,"e":1e5}',
    '[]',
  ])
    expect(changed(json)).toBe(json)
})

test('hostile bodies of 256 kB are read in one pass, and an unterminated string stays as it is', () => {
  const id = '1576839091671007233'
  const fill = (unit: string) => unit.repeat((256 * 1024) / unit.length)
  // Matched again from each of its quotes, the first of these would take a minute.
  for (const json of [`"${fill('\\"')}${id}`, `"${fill('\\\n')}${id}`, `"${fill('\\\\')}${id}\\`, `"${id}\\`])
    expect(changed(json) === json).toBe(true)
  expect(changed(`${id},"${fill('\\"')}`)).toBe(`"${id}","${fill('\\"')}`)
  expect(changed('1'.repeat(256 * 1024)).length).toBe(256 * 1024)
})
