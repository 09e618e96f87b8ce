import { expect, test } from 'bun:test'
import { person, newServer, say, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

/** Presses a key with a browser's event, on the focused element. */
const press = (page: Page, key: string, init: KeyboardEventInit = {}) =>
  page.evaluate(
    ([name, more]) => {
      const options = { bubbles: true, cancelable: true, ...(more as object), key: name as string }
      const event = new KeyboardEvent('keydown', options)
      document.activeElement?.dispatchEvent(event)
      return event.defaultPrevented
    },
    [key, init] as const,
  )

/** Safari's event for the Enter that confirms a composition. */
const CONFIRMING = { keyCode: 229, isComposing: false }

test('a key of an input method does nothing else, in any browser’s notation', async () => {
  const alice = await person(parley, 'alice')
  const { server_id, channel_id } = await newServer(alice)
  await say(alice, channel_id, 'before')
  const visitor = await Page.as(alice, `/app/servers/${server_id}/channels/${channel_id}`)
  await visitor.sees(visitor.message('before'))
  const list = visitor.getByRole('listbox')
  for (const init of [CONFIRMING, { isComposing: true }]) {
    await visitor.composer().fill('일')
    expect(await press(visitor, 'Enter', init)).toBe(false)
    await visitor.composer().fill('@every')
    await visitor.sees(list)
    expect(await press(visitor, 'Enter', init)).toBe(false)
    expect(await press(visitor, 'ArrowDown', init)).toBe(false)
    expect(await visitor.composer().inputValue()).toBe('@every')
    await visitor.composer().fill('')
    expect(await press(visitor, 'ArrowUp', init)).toBe(false)
  }
  await visitor.composer().press('ArrowUp')
  await visitor.field('Edit message').fill('after')
  for (const key of ['Enter', 'Escape']) expect(await press(visitor, key, CONFIRMING)).toBe(false)
  expect(await visitor.field('Edit message').inputValue()).toBe('after')
  await visitor.field('Edit message').press('Enter')
  await visitor.sees(visitor.message('after'))
  await visitor.keyboard.press('Control+k')
  const field = visitor.locator('dialog input')
  await field.fill('general')
  expect(await press(visitor, 'Enter', CONFIRMING)).toBe(false)
  await visitor.sees(field)
  await visitor.keyboard.press('Escape')
  await visitor.misses(visitor.locator('dialog'))
  await visitor.leave()
})

test('only arrow up without modifiers edits the last message', async () => {
  const alice = await person(parley, 'alice')
  const { server_id, channel_id } = await newServer(alice)
  await say(alice, channel_id, 'mine')
  const visitor = await Page.as(alice, `/app/servers/${server_id}/channels/${channel_id}`)
  await visitor.sees(visitor.message('mine'))
  for (const keys of ['Shift+ArrowUp', 'Control+ArrowUp', 'Alt+ArrowUp', 'Alt+Shift+ArrowUp', 'Meta+ArrowUp']) {
    await visitor.composer().press(keys)
    expect(await visitor.locator('.editor').count()).toBe(0)
  }
  await visitor.composer().press('ArrowUp')
  await visitor.sees(visitor.field('Edit message'))
  await visitor.leave()
})

test('shortcuts work in layouts without Latin letters, and with CapsLock', async () => {
  const alice = await person(parley, 'alice')
  const { server_id, channel_id } = await newServer(alice)
  await say(alice, channel_id, 'mine')
  const visitor = await Page.as(alice, `/app/servers/${server_id}/channels/${channel_id}`)
  await visitor.sees(visitor.message('mine'))
  for (const key of ['л', 'κ', 'ל', 'K']) {
    expect(await press(visitor, key, { code: 'KeyK', ctrlKey: true })).toBe(true)
    await visitor.sees(visitor.locator('dialog.switcher'))
    await visitor.keyboard.press('Escape')
    await visitor.misses(visitor.locator('dialog.switcher'))
  }
  // In Dvorak, K is on another key, and the key in its place has another letter.
  expect(await press(visitor, 't', { code: 'KeyK', ctrlKey: true })).toBe(false)
  expect(await press(visitor, 'а', { code: 'KeyF', ctrlKey: true })).toBe(true)
  await visitor.sees(visitor.locator('.search'))
  for (const key of ['у', 'E']) {
    await visitor.message('mine').focus()
    expect(await press(visitor, key, { code: 'KeyE' })).toBe(true)
    await visitor.sees(visitor.field('Edit message'))
    await visitor.field('Edit message').press('Escape')
    await visitor.misses(visitor.locator('.editor'))
  }
  await visitor.message('mine').focus()
  expect(await press(visitor, 'E', { code: 'KeyE', shiftKey: true })).toBe(false)
  await visitor.leave()
})
