import { expect, test } from 'bun:test'
import { CLIENT_PAGES, isClientPage } from '../../src/core/client-pages.ts'

test('a browser that keeps its files shows its own page at each path of the client', () => {
  const paths = CLIENT_PAGES.map((path) => path.replace(/:\w+|\*/g, '1'))
  expect(paths.filter((path) => !isClientPage(path))).toEqual([])
  // The server takes these for the client's as well.
  for (const path of ['/app/', '/app/channels', '//other', '/operator/a/b']) expect(isClientPage(path)).toBe(true)
  for (const path of ['/docs', '/s/parley', '/apple', '/App', '/media/1']) expect(isClientPage(path)).toBe(false)
})
