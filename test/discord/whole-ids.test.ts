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
