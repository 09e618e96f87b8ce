import { afterAll, beforeEach, expect, test } from 'bun:test'
import { hashOf, readPin } from '../../../src/web/device/pin-record.ts'
import { changePin, pinnedFile, pinnedPage } from '../../../src/web/worker/pinned-files.ts'

// The service worker's part of a pinned client, with a server of files, and caches in memory.

const files = new Map<string, string>()
let list = ''
/** Further headers of the server's files. */
let sent: Record<string, string> = {}
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const { pathname } = new URL(request.url)
    const body = pathname === '/client.sha256' ? list : files.get(pathname)
    const headers = { 'content-type': 'text/html; charset=iso-2022-jp', refresh: '0; url=https://example.org', ...sent }
    return body === undefined ? new Response(null, { status: 404 }) : new Response(body, { headers })
  },
})
afterAll(() => server.stop(true))

/** A browser's caches, as far as the worker uses them. */
class Caches {
  readonly #all = new Map<string, Map<string, Response>>()
  open = async (name: string) => {
    const entries = this.#all.get(name) ?? new Map<string, Response>()
    this.#all.set(name, entries)
    return {
      match: async (path: string) => entries.get(path)?.clone(),
      put: async (path: string, response: Response) => void entries.set(path, response.clone()),
      delete: async (path: string) => entries.delete(path),
    }
  }
  match = async (path: string, { cacheName }: { cacheName: string }) => this.#all.get(cacheName)?.get(path)?.clone()
  keys = async () => [...this.#all.keys()]
  delete = async (name: string) => this.#all.delete(name)
}

const before = { caches: globalThis.caches, fetch: globalThis.fetch, clients: Reflect.get(globalThis, 'clients') }
const messages: unknown[] = []
const window = { postMessage: (message: unknown) => messages.push(message) }
Object.assign(globalThis, {
  clients: { matchAll: async () => [window] },
  fetch: (path: string) => before.fetch(new URL(path, server.url)),
})
afterAll(() => Object.assign(globalThis, before))

const bytesOf = (text: string) => new TextEncoder().encode(text)
/** Lists these files as the server's client. @returns the hash that stands for them */
async function release(names: Record<string, string>): Promise<string> {
  files.clear()
  for (const [name, text] of Object.entries(names)) files.set(`/${name}`, text)
  const lines = Object.entries(names).map(async ([name, text]) => `${await hashOf(bytesOf(text))}  ${name}\n`)
  list = (await Promise.all(lines)).join('')
  return hashOf(bytesOf(list))
}
const FIRST = { app: '<page>', 'assets/a-1.js': 'one', 'assets/empty-2.js': '', 'worker.js': 'worker' }
const SECOND = { app: '<page 2>', 'assets/a-3.js': 'two', 'worker.js': 'worker 2' }

let caches: Caches
beforeEach(async () => {
  caches = new Caches()
  Object.assign(globalThis, { caches })
  await changePin({ kind: 'drop' })
  messages.length = 0
  sent = {}
})
const textOf = async (response: Promise<Response | undefined>) => (await response)?.text()

test('without a pin, the worker leaves every file to the browser', async () => {
  expect([await pinnedFile('/assets/a-1.js'), await pinnedPage()]).toEqual([undefined, undefined])
})

test('a pinned client is served from what was compared, whatever the server has now', async () => {
  const hash = await release(FIRST)
  expect(await changePin({ kind: 'take', hash, version: '1' })).toBe('taken')
  expect(await readPin()).toMatchObject({ hash, version: '1' })
  await release(SECOND)
  expect(await textOf(pinnedPage())).toBe('<page>')
  expect(await textOf(pinnedFile('/assets/a-1.js'))).toBe('one')
  expect(await textOf(pinnedFile('/assets/empty-2.js'))).toBe('')
  // A file of the other client is not listed.
  expect((await pinnedFile('/assets/a-3.js'))?.type).toBe('error')
  expect(messages).toEqual([])
  expect(await changePin({ kind: 'drop' })).toBe('dropped')
  expect(await pinnedFile('/assets/a-1.js')).toBeUndefined()
  expect(await caches.keys()).toEqual([])
})

test('headers of the server change neither what a file is nor what a page may load', async () => {
  sent = { 'content-security-policy': "default-src 'none'", 'x-frame-options': 'DENY', link: '</evil.js>; rel=preload' }
  await changePin({ kind: 'take', hash: await release(FIRST), version: '1' })
  const headersOf = async (file: Promise<Response | undefined>) => Object.fromEntries((await file)?.headers ?? [])
  const { 'content-security-policy': policy, ...others } = await headersOf(pinnedPage())
  expect(policy).toMatch(/^default-src 'none', .*script-src 'self' 'wasm-unsafe-eval'/)
  const nosniff = { 'x-content-type-options': 'nosniff' }
  expect(others).toEqual({ 'content-type': 'text/html; charset=utf-8', 'x-frame-options': 'DENY', ...nosniff })
  expect((await headersOf(pinnedFile('/assets/a-1.js')))['content-type']).toBe('text/javascript; charset=utf-8')
  // Nor does a server that sends no policy.
  sent = {}
  await changePin({ kind: 'take', hash: await release(SECOND), version: '2' })
  expect((await headersOf(pinnedPage()))['content-security-policy']).toContain("script-src 'self' 'wasm-unsafe-eval'")
})

test('pages that were open when another client was accepted go on with the files of the former one', async () => {
  const [first, second] = [await release(FIRST), await release(SECOND)]
  const take = async (files: typeof FIRST | typeof SECOND | { app: string; 'worker.js': string }, version: string) =>
    changePin({ kind: 'take', hash: await release(files), version })
  await take(FIRST, '1')
  await take(SECOND, '2')
  expect(await textOf(pinnedPage())).toBe('<page 2>')
  expect([await textOf(pinnedFile('/assets/a-1.js')), await textOf(pinnedFile('/assets/a-3.js'))]).toEqual([
    'one',
    'two',
  ])
  // Accepting the same again forgets nothing.
  await take(SECOND, '2')
  expect((await caches.keys()).toSorted()).toEqual(['pinned', `pinned-${first}`, `pinned-${second}`].toSorted())
  await take({ app: '<page 3>', 'worker.js': 'worker 3' }, '3')
  expect((await pinnedFile('/assets/a-1.js'))?.type).toBe('error')
  expect(await textOf(pinnedFile('/assets/a-3.js'))).toBe('two')
  expect(await textOf(pinnedPage())).toBe('<page 3>')
})

test('two pages that ask at once leave one whole client', async () => {
  const hash = await release(FIRST)
  const take = () => changePin({ kind: 'take', hash, version: '1' })
  expect(await Promise.all([take(), changePin({ kind: 'drop' }), take()])).toEqual(['taken', 'dropped', 'taken'])
  expect(await textOf(pinnedFile('/assets/a-1.js'))).toBe('one')
  expect(await Promise.all([take(), changePin({ kind: 'drop' })])).toEqual(['taken', 'dropped'])
  expect(await caches.keys()).toEqual([])
})

test('a file that is lost is loaded again, and refused if the server has changed it', async () => {
  const hash = await release(FIRST)
  await changePin({ kind: 'take', hash, version: '1' })
  await (await caches.open(`pinned-${hash}`)).delete('/assets/a-1.js')
  files.set('/assets/a-1.js', 'evil')
  expect((await pinnedFile('/assets/a-1.js'))?.type).toBe('error')
  expect(messages).toEqual([{ refusedFile: '/assets/a-1.js' }])
  files.set('/assets/a-1.js', 'one')
  expect(await textOf(pinnedFile('/assets/a-1.js'))).toBe('one')
})

test('another client is taken only if its list and each of its files are what the person was shown', async () => {
  const first = await release(FIRST)
  await changePin({ kind: 'take', hash: first, version: '1' })
  const second = await release(SECOND)
  const take = () => changePin({ kind: 'take', hash: second, version: '2' })
  const isFormer = async () => expect([(await readPin())?.hash, await textOf(pinnedPage())]).toEqual([first, '<page>'])
  files.set('/assets/a-3.js', 'evil')
  expect(await take()).toBe('mismatch')
  await isFormer()
  files.delete('/assets/a-3.js')
  expect(await take()).toBe('incomplete')
  await isFormer()
  files.set('/assets/a-3.js', 'two')
  // The list has changed since the person was asked.
  list += `${'0'.repeat(64)}  assets/more.js\n`
  expect(await take()).toBe('mismatch')
  await isFormer()
  await release(SECOND)
  expect(await take()).toBe('taken')
  expect(await textOf(pinnedPage())).toBe('<page 2>')
  expect((await caches.keys()).toSorted()).toEqual(['pinned', `pinned-${first}`, `pinned-${second}`].toSorted())
})

test('lists that are no lists of a client are refused', async () => {
  const good = `${'0'.repeat(64)}  app\n${'1'.repeat(64)}  worker.js\n`
  for (const bad of [
    '',
    'x',
    good.slice(70),
    `${good}x\n`,
    `${good}${'2'.repeat(64)}  ../secret\n`,
    `${good}${good}`,
  ]) {
    list = bad
    expect(await changePin({ kind: 'take', hash: await hashOf(bytesOf(bad)), version: '1' })).toBe('mismatch')
  }
  expect(await readPin()).toBeUndefined()
})
