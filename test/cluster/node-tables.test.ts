import { expect, test } from 'bun:test'
import { NodeTables } from '../../src/cluster/node-tables.ts'

const KEYS = ['12', '012', '12.0', '1e3', '1000', '', '-0', '0', 'NaN', '9007199254740993', '9007199254740992', 'room']

test('keys that are equal as numbers are different keys, and are reported unchanged', () => {
  const [here, there] = [new NodeTables('here'), new NodeTables('there')]
  const table = here.table('presence', () => {})
  const changedKeys: string[] = []
  table.onChange((key) => void changedKeys.push(key))
  for (const key of KEYS) table.put(key, `row of ${key}`)
  expect(changedKeys).toEqual(KEYS)
  for (const key of KEYS) expect([...table.at(key)]).toEqual([['here', `row of ${key}`]])
  there.replace('here', here.rowsOf('here'))
  expect(there.rowsOf('here')).toEqual(KEYS.map((key) => ['presence', key, `row of ${key}`]))
  here.forget('here', true)
  expect(changedKeys).toEqual([...KEYS, ...KEYS])
})
