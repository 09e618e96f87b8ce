import { beforeAll, expect, onTestFinished } from 'bun:test'
import { BROWSER_MS } from '../support/browser/chromium.ts'
import { Releases } from '../support/browser/releases.ts'
import { Undebugged } from '../support/browser/undebugged.ts'
import { browserTest, openBrowser } from '../support/browser/visitor.ts'
import { person, standard, until } from '../support/harness.ts'

const parley = await standard()
const browser = await openBrowser()

// The server compresses each file when it is first asked for, which takes long on a busy machine.
beforeAll(async () => {
  const list = await (await fetch(`${parley.url}/client.sha256`)).text()
  for (const line of list.trimEnd().split('\n'))
    await (await fetch(`${parley.url}/${line.split('  ')[1]}`)).arrayBuffer()
}, BROWSER_MS)

/**
 * A page of the first release that its worker controls, with what a person does on it.
 * @param isUncached true if the browser asks the server for each file that the worker does not keep
 */
async function installed(isUncached = false) {
  const releases = Releases.of(parley.url)
  releases.isUncached = isUncached
  onTestFinished(() => releases.close())
  const page = await Undebugged.open()
  const ann = await person(parley, 'ann')
  await page.logIn(ann.token, releases.url)
  await page.goto(`${releases.url}/app`)
  await page.until(async () => {
    await navigator.serviceWorker.ready
    return navigator.serviceWorker.controller !== null
  })
  const sees = (text: string) => page.until(textIsIn, text)
  /** Clicks on what has this name, once it is there. */
  const click = (name: string) => page.until(clickOn, name)
  const isSecond = async () =>
    Releases.isSecondScript(
      await page.evaluate(() => document.querySelector('script[type=module]')?.getAttribute('src') ?? ''),
    )
  /** Lets the browser look for another worker, as it does by itself, and waits until that one is in charge. */
  const takeWorker = async () => {
    await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()))
    await page.until(async () => {
      const { active, installing, waiting } = await navigator.serviceWorker.ready
      return active?.state === 'activated' && !installing && !waiting
    })
  }
  return { releases, page, sees, click, isSecond, takeWorker }
}

const textIsIn = (text: string): boolean => document.body.innerText.includes(text)
function clickOn(name: string): boolean {
  const all = [...document.querySelectorAll<HTMLElement>('button, [role=tab], label.check')]
  const isOn = (each: HTMLElement) => each.checkVisibility() && !each.matches(':disabled, :has(:disabled)')
  const found = all.filter((each) => (each.ariaLabel ?? each.innerText).trim() === name && isOn(each))
  found.at(-1)?.click()
  return found.length > 0
}

/** In a page: a part of the client that the worker keeps. */
async function keptPart(): Promise<string> {
  const name = (await caches.keys()).find((each) => each.startsWith('pinned-')) ?? ''
  const files = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)
  return files.find((each) => each.startsWith('/assets/part-')) ?? ''
}

/** In a page: removes a file from what the worker keeps, as if the browser had lost it. @returns its path */
async function lost(start: string): Promise<string> {
  const name = (await caches.keys()).find((each) => each.startsWith('pinned-')) ?? ''
  const files = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)
  const path = files.find((each) => each.startsWith(start)) ?? ''
  for (const cacheName of await caches.keys()) await (await caches.open(cacheName)).delete(path)
  return path
}

/** In a page: starts the worker of calls, which passes a frame on once it knows that the call is open. */
function startOf(url: string): Promise<string> {
  const policy = Reflect.get(globalThis, 'trustedTypes').createPolicy('test', {
    createScriptURL: (path: string) => path,
  })
  const worker = new Worker(policy.createScriptURL(url))
  const { readable, writable } = new TransformStream()
  const frames = new ReadableStream({ start: (controller) => controller.enqueue({ data: new ArrayBuffer(1) }) })
  const options = { side: 'send', isAudio: true }
  worker.postMessage({ kind: 'open' })
  worker.postMessage({ kind: 'streams', options, readable: frames, writable }, [frames, writable])
  return new Promise((resolve) => {
    worker.onerror = () => resolve('refused')
    void readable
      .getReader()
      .read()
      .then(() => resolve('started'))
  })
}

const load = (url: string): Promise<string> =>
  fetch(url).then(
    ({ status }) => `${status}`,
    () => 'refused',
  )

async function pinned(isUncached = false) {
  const inside = await installed(isUncached)
  await inside.click('Settings')
  await inside.click('Security')
  await inside.click('Refuse changed files')
  await inside.sees('kept since')
  return inside
}

browserTest(
  browser,
  'a device that keeps its files goes on with them after an update, asks with both hashes, and takes only listed files',
  async () => {
    const { releases, page, sees, click, isSecond, takeWorker } = await pinned()
    const hashOf = async () =>
      new Bun.SHA256().update(await (await fetch(`${releases.url}/client.sha256`)).text()).digest('hex')
    const grouped = (hash: string) => hash.replace(/.{8}(?=.)/g, '$& ')
    const first = await hashOf()
    await sees(grouped(first))
    const formerPart = await page.evaluate(keptPart)
    Object.assign(releases, { isSecond: true, isListed: true })
    const second = await hashOf()
    expect(second).not.toBe(first)
    // Also the worker of the other release keeps to what the person has accepted.
    await takeWorker()
    await page.reload()
    await sees('The server has different files')
    for (const hash of [first, second]) await sees(grouped(hash))
    expect(await isSecond()).toBe(false)
    await click('Keep my files')
    await page.reload()
    await sees('The server has different files')
    expect(await isSecond()).toBe(false)
    // One of the new files is another one than the list names.
    releases.changedFile = '/assets/part-'
    await click('Accept the new files')
    await sees('A file from the server does not match the server’s list.')
    await page.reload()
    await sees('The server has different files')
    expect(await isSecond()).toBe(false)
    releases.changedFile = undefined
    await click('Accept the new files')
    await page.until(
      () => document.querySelector('script[type=module]')?.getAttribute('src')?.includes('second') === true,
    )
    expect(await isSecond()).toBe(true)
    // Another tab may still run the former files.
    expect(await page.evaluate(load, formerPart)).toBe('200')
    releases.isSecond = false
    expect(await page.evaluate(load, formerPart)).toBe('200')
  },
)

browserTest(
  browser,
  'a device that keeps its files refuses a file that changed under the same list, and warns of another worker',
  async () => {
    const { releases, page, sees, isSecond, takeWorker } = await pinned(true)
    const path = await page.evaluate(lost, '/assets/part-')
    releases.changedFile = path
    expect(await page.evaluate(load, path)).toBe('refused')
    await sees('The server sent a changed file. This browser refused it.')
    expect(await page.evaluate(load, '/assets/part-unlisted-abc.js')).toBe('refused')
    // The worker of calls, which has the keys.
    const frames = await page.evaluate(lost, '/assets/frames-')
    releases.changedFile = frames
    expect(await page.evaluate(startOf, frames)).toBe('refused')
    releases.changedFile = undefined
    expect(await page.evaluate(startOf, frames)).toBe('started')
    expect(await page.evaluate(load, path)).toBe('200')
    // Another page and worker, under the same list.
    releases.isSecond = true
    await takeWorker()
    await sees('The server has changed the part of this app that checks the files')
    await page.reload()
    expect(await isSecond()).toBe(false)
  },
)

browserTest(
  browser,
  'a browser takes another worker without a question, also one that pages do not get, and an open page warns of it',
  async () => {
    const { releases, page, sees, takeWorker } = await pinned()
    releases.isWorkerHidden = true
    await takeWorker()
    const versions = () => page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('parley-')))
    expect((await versions()).some((name) => Releases.isSecondScript(name))).toBe(true)
    await sees('The server has changed the part of this app that checks the files')
  },
)

browserTest(
  browser,
  'a device keeps no files unless its person wants that, and none after that is turned off',
  async () => {
    const { releases, page, sees, click, isSecond } = await installed()
    await click('Settings')
    await click('Security')
    await sees('Files of this app')
    const names = () => page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('pinned')))
    expect(await names()).toEqual([])
    await click('Refuse changed files')
    await sees('kept since')
    expect(await names()).toHaveLength(2)
    await click('Refuse changed files')
    await page.until(() => !document.body.innerText.includes('kept since'))
    expect(await names()).toEqual([])
    releases.isSecond = true
    // With a slow network, the former page is shown once more.
    await until(async () => {
      await page.reload()
      return isSecond()
    })
  },
)
