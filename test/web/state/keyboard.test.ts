import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isComposingKey, isEnter, keyOf, stepOf } from '../../../src/web/state/keyboard.ts'

const NOTHING = { ctrlKey: false, altKey: false, shiftKey: false, metaKey: false, isComposing: false, keyCode: 0 }
const pressed = (key: string, more: Partial<KeyboardEvent> = {}) =>
  ({ ...NOTHING, code: '', key, ...more }) as KeyboardEvent

test('an input method gets the keys of a composition, by their code if the browser ends composing first', () => {
  expect(isComposingKey(pressed('Enter', { isComposing: true }))).toBe(true)
  expect(isComposingKey(pressed('Enter', { keyCode: 229 }))).toBe(true)
  expect(isComposingKey(pressed('Enter', { keyCode: 13 }))).toBe(false)
  expect(isEnter(pressed('Enter', { keyCode: 229 }))).toBe(false)
  expect(isEnter(pressed('Enter', { shiftKey: true }))).toBe(false)
  expect(isEnter(pressed('Enter', { keyCode: 13 }))).toBe(true)
})

test('every handler that compares a key leaves the keys of a composition to the input method', () => {
  const cwd = join(import.meta.dir, '../../../src/web')
  const handlers = [...new Bun.Glob('**/*.{ts,tsx}').scanSync({ cwd })]
    .map((file) => ({ file, text: readFileSync(join(cwd, file), 'utf8') }))
    .filter(({ text }) => /\bevent\.key [!=]==/.test(text))
  expect(handlers.length).toBeGreaterThan(15)
  const asks = /\b(?:isComposingKey|isEnter|stepOf)\(/
  expect(handlers.filter(({ text }) => !asks.test(text)).map(({ file }) => file)).toEqual([])
})

test('an arrow steps without modifiers, or with the expected one', () => {
  expect(stepOf(pressed('ArrowUp'))).toBe(-1)
  expect(stepOf(pressed('ArrowDown'))).toBe(1)
  for (const modifier of ['ctrlKey', 'altKey', 'shiftKey', 'metaKey'])
    expect(stepOf(pressed('ArrowUp', { [modifier]: true }))).toBeUndefined()
  expect(stepOf(pressed('ArrowUp', { altKey: true }), 'Alt')).toBe(-1)
  expect(stepOf(pressed('ArrowUp', { altKey: true, shiftKey: true }), 'Alt')).toBeUndefined()
  expect(stepOf(pressed('ArrowUp', { keyCode: 229 }))).toBeUndefined()
})

test.each([
  ['a Latin layout', 'k', 'KeyK', 'k'],
  ['CapsLock', 'K', 'KeyK', 'k'],
  ['AZERTY, where A stands at the place of Q', 'a', 'KeyQ', 'a'],
  ['Dvorak, where K stands at the place of V', 'k', 'KeyV', 'k'],
  ['Turkish, whose letters are Latin', 'ı', 'KeyI', 'ı'],
  ['Cyrillic', 'л', 'KeyK', 'k'],
  ['Cyrillic with CapsLock', 'Л', 'KeyK', 'k'],
  ['Greek', 'κ', 'KeyK', 'k'],
  ['Hebrew', 'ל', 'KeyK', 'k'],
  ['Arabic', 'ن', 'KeyK', 'k'],
  ['Devanagari, where the key is a vowel sign', 'क', 'KeyK', 'k'],
  ['Hangul', 'ㅏ', 'KeyK', 'k'],
  ['a key that is no letter', '/', 'Slash', '/'],
  ['a letter where Latin keyboards have none', 'ё', 'Backquote', 'ё'],
  ['a named key', 'ArrowUp', 'ArrowUp', 'ArrowUp'],
])('a shortcut is known in %s', (_, key, code, expected) => expect(keyOf({ key, code })).toBe(expected))
