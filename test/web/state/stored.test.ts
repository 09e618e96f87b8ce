import { afterEach, expect, test } from 'bun:test'
import { onDevice } from '../../../src/web/state/stored.ts'

const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
afterEach(() => {
  for (const key of onDevice.keys()) onDevice.removeItem(key)
  if (before) Object.defineProperty(globalThis, 'localStorage', before)
  else Reflect.deleteProperty(globalThis, 'localStorage')
})

const put = (get: () => object) => Object.defineProperty(globalThis, 'localStorage', { get, configurable: true })
const refuse = () => {
  throw new DOMException('no', 'QuotaExceededError')
}

/** A storage like the browser's, which accepts only short values. */
function storageOf() {
  const entries: Record<string, string> = {}
  const methods = {
    getItem: (key: string) => entries[key] ?? null,
    setItem: (key: string, text: string) => void (text.length > 9 ? refuse() : (entries[key] = text)),
    removeItem: (key: string) => void delete entries[key],
  }
  return { entries, storage: new Proxy(entries, { get: (_, name) => Reflect.get(methods, name) }) }
}

test('values that a full storage refuses last as long as the page', () => {
  const { entries, storage } = storageOf()
  put(() => storage)
  onDevice.setItem('a', 'short')
  onDevice.setItem('b', 'too long for it')
  expect(entries).toEqual({ a: 'short' })
  expect([onDevice.getItem('a'), onDevice.getItem('b'), onDevice.getItem('c')]).toEqual([
    'short',
    'too long for it',
    null,
  ])
  expect(onDevice.keys().toSorted()).toEqual(['a', 'b'])
  expect(onDevice.length).toBe(2)
  onDevice.setItem('b', 'fits')
  expect(entries).toEqual({ a: 'short', b: 'fits' })
  onDevice.setItem('a', 'too long again')
  onDevice.removeItem('a')
  expect(onDevice.getItem('a')).toBeNull()
  expect(entries).toEqual({ b: 'fits' })
})

test('a storage that the browser forbids stops nothing', () => {
  put(refuse)
  onDevice.setItem('a', 'kept here')
  expect(onDevice.getItem('a')).toBe('kept here')
  expect(onDevice.keys()).toEqual(['a'])
  onDevice.removeItem('a')
  expect([onDevice.getItem('a'), onDevice.length, onDevice.key(0)]).toEqual([null, 0, null])
})
