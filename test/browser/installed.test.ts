import { afterAll, expect } from 'bun:test'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { type Person, person, newServer, say, standard } from '../support/harness.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { storedValue as keptOf } from '../support/browser/kept.ts'
import { Line } from '../support/browser/line.ts'
import { shoot, shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { png } from '../support/uploads.ts'

const parley = await standard()
const browser = await openBrowser()
const line = await Line.to(parley.url)
afterAll(() => line.cut())

/** A person's page through the proxy, controlled by its worker. */
async function installed(chromium: Browser, who: Person, path: string, options: BrowserContextOptions = {}) {
  const visitor = await Visitor.stranger(chromium, { ...parley, url: line.url }, '/login', options)
  await logIn(visitor, who, path)
  return visitor
}

async function logIn(visitor: Visitor, who: Person, path: string): Promise<void> {
  const cookie = { name: 'session', value: who.token, url: line.url, httpOnly: true }
  await visitor.page.context().addCookies([cookie])
  await visitor.page.goto(line.url + path)
  await visitor.page.waitForFunction(async () => {
    await navigator.serviceWorker.ready
    return navigator.serviceWorker.controller !== null
  })
}

const storedValue = ({ page }: Visitor, key: string) => keptOf(page, key)

/**
 * Counts the worker's notifications. Chromium forgets a notification that is being shown while `getNotifications` runs,
 * so a test reads notices only after they were shown.
 */
async function countShown(visitor: Visitor): Promise<() => Promise<number>> {
  const [worker] = visitor.page.context().serviceWorkers()
  if (!worker) throw new Error('The page has no service worker')
  await worker.evaluate(() => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration }
    const show = registration.showNotification.bind(registration)
    Object.assign(globalThis, { shown: 0 })
    registration.showNotification = async (...args) => {
      await show(...args)
      Object.assign(globalThis, { shown: Reflect.get(globalThis, 'shown') + 1 })
    }
  })
  return () => worker.evaluate(() => Number(Reflect.get(globalThis, 'shown')))
}

/** The worker's visible notices. */
const notices = (visitor: Visitor) =>
  visitor.page.evaluate(async () => {
    const notifications = await (await navigator.serviceWorker.ready).getNotifications()
    // Chromium may show its own for a push without a notification.
    return notifications
      .filter(({ tag }) => tag.startsWith('place '))
      .map(({ title, body, tag }) => ({ title, body, tag }))
  })

browserTest(
  browser,
  'without a network the page opens with its last content, and sends later; logging out removes all of it',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    await say(ben, channel_id, 'Seen before the network went')
    const visitor = await installed(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.sees('Seen before the network went')
    await visitor.until(async () => {
      // Imitates a page that goes to the background.
      await visitor.page.evaluate(() => window.dispatchEvent(new Event('pagehide')))
      return (await storedValue(visitor, 'snapshot')).includes('Seen before the network went')
    })
    line.cut()
    await visitor.page.reload()
    await visitor.sees('Seen before the network went')
    await visitor.sees('Connection lost')
    await visitor.say('Written without a network')
    await visitor.sees('Written without a network')
    await shootThemes(visitor, 'offline')
    await line.mend()
    await visitor.until(async () => {
      const { body } = await ann.get(`/api/channels/${channel_id}/messages`)
      return body.some(({ content }: any) => content === 'Written without a network')
    })
    await visitor.until(async () => !(await visitor.page.getByText('Connection lost').isVisible()))
    await visitor.page.evaluate(() => window.dispatchEvent(new Event('pagehide')))

    await ann.post('/api/auth/logout')
    await visitor.page.waitForURL('**/login#ended')
    expect([await storedValue(visitor, 'snapshot'), await storedValue(visitor, 'account')]).toEqual(['null', 'null'])
    line.cut()
    await visitor.page.reload()
    await visitor.sees('The server cannot be reached')
    expect(await visitor.page.getByText('Seen before').count()).toBe(0)
    await line.mend()
    await visitor.leave()
  },
)

browserTest(
  browser,
  'with a network that accepts connections and never answers, the page opens, and goes on afterwards',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    await say(ben, channel_id, 'Seen before the network hung')
    const visitor = await installed(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.sees('Seen before the network hung')
    await visitor.until(async () => {
      await visitor.page.evaluate(() => window.dispatchEvent(new Event('pagehide')))
      return (await storedValue(visitor, 'snapshot')).includes('Seen before the network hung')
    })
    await line.hang()
    const began = performance.now()
    await visitor.page.reload({ waitUntil: 'commit' })
    await visitor.sees('Seen before the network hung')
    console.log(`opened with a network that hangs: ${Math.round(performance.now() - began)} ms`)
    await visitor.say('Written while it hung')
    await visitor.sees('Written while it hung')
    await line.mend()
    await visitor.until(async () => {
      const { body } = await ann.get(`/api/channels/${channel_id}/messages`)
      return body.some(({ content }: any) => content === 'Written while it hung')
    })
    await visitor.leave()
  },
)

browserTest(
  browser,
  'content of one account’s page is shown to no other account, and is removed at another login',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann)
    await say(ann, channel_id, 'For ann alone')
    const visitor = await installed(chromium, ann, `/app/servers/${server_id}/channels/${channel_id}`)
    const keepSeen = async () => {
      await visitor.sees('For ann alone')
      await visitor.until(async () => {
        await visitor.page.evaluate(() => window.dispatchEvent(new Event('pagehide')))
        return (await storedValue(visitor, 'snapshot')).includes('For ann alone')
      })
    }
    await keepSeen()
    // Imitates ben, who logs in on the browser while a page of ann's is saving.
    await visitor.page.evaluate(async (userId) => {
      const opening = indexedDB.open('parley', 1)
      await new Promise((resolve) => (opening.onsuccess = resolve))
      const request = opening.result.transaction('kept', 'readwrite').objectStore('kept').put(userId, 'account')
      await new Promise((resolve) => (request.onsuccess = resolve))
      opening.result.close()
    }, ben.id)
    line.cut()
    await visitor.page.reload()
    await visitor.sees('The server cannot be reached')
    expect(await visitor.page.getByText('For ann alone').count()).toBe(0)
    await line.mend()
    await keepSeen()
    // As with single sign-on, the login page is skipped.
    await logIn(visitor, ben, '/app')
    await visitor.until(async () => (await storedValue(visitor, 'account')) === String(ben.id))
    expect(await storedValue(visitor, 'snapshot')).not.toContain('For ann alone')
    await visitor.leave()
  },
)

browserTest(browser, 'a push is shown only to its account, once a place, and withdrawn', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const visitor = await installed(chromium, ann, `/app/servers/${server_id}`, { permissions: ['notifications'] })
  await visitor.sees(visitor.composer())
  await visitor.until(async () => (await storedValue(visitor, 'account')) === String(ann.id))
  const devtools = await visitor.page.context().newCDPSession(visitor.page)
  let registration = ''
  devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    registration = registrations.find(({ scopeURL }) => scopeURL.startsWith(line.url))?.registrationId ?? registration
  })
  await devtools.send('ServiceWorker.enable')
  await visitor.until(async () => registration !== '')
  const push = (data: object) =>
    devtools.send('ServiceWorker.deliverPushMessage', {
      origin: line.url,
      registrationId: registration,
      data: JSON.stringify(data),
    })
  const notificationCount = await countShown(visitor)
  const base = { kind: 'message', user_id: ann.id, channel_id, is_call: false }
  const message = (id: number, text: string) => ({
    ...base,
    message_id: id,
    path: `/c/${channel_id}/${id}`,
    author: 'Ben',
    place: '#general · Birdwatchers',
    text,
  })
  await push(message(1, 'Two kingfishers'))
  const tag = `place ${channel_id}`
  const title = 'Ben in #general · Birdwatchers'
  await visitor.until(async () => (await notificationCount()) === 1)
  expect(await notices(visitor)).toEqual([{ title, body: 'Two kingfishers', tag }])
  await push(message(2, 'A heron'))
  await visitor.until(async () => (await notificationCount()) === 2)
  expect(await notices(visitor)).toEqual([{ title, body: '2 new messages: A heron', tag }])
  await push({ ...message(3, 'Not for ann'), user_id: ben.id, channel_id: channel_id + 1 })
  const { author: _author, place: _place, text: _text, ...hidden } = message(4, '')
  await push({ ...hidden, channel_id: channel_id + 2 })
  // Several concurrent notices are all counted.
  await Promise.all([5, 6, 7].map((id) => push(message(id, 'Another heron'))))
  await visitor.until(async () => (await notificationCount()) === 6)
  expect((await notices(visitor)).map(({ title: name, body }) => `${name}: ${body}`).toSorted()).toEqual([
    `${title}: 5 new messages: Another heron`,
    'Parley: A new message',
  ])
  await push({ ...base, kind: 'over', path: `/c/${channel_id}` })
  await visitor.until(async () => (await notices(visitor)).length === 1)

  // The notice of a call stays until its end, and a phone vibrates meanwhile.
  const call = { ...base, is_call: true, path: `/c/${channel_id}` }
  await push({ ...call, kind: 'call', author: 'Ben' })
  await visitor.until(async () => (await notificationCount()) === 7)
  const ringing = () =>
    visitor.page.evaluate(async (name) => {
      const [found] = await (await navigator.serviceWorker.ready).getNotifications({ tag: name })
      const vibrated: number[] = Reflect.get(found ?? {}, 'vibrate') ?? []
      const lasts_ms = vibrated.reduce((sum, ms) => sum + ms, 0)
      return found && { body: found.body, stays: found.requireInteraction, lasts_ms }
    }, `call ${channel_id}`)
  expect(await ringing()).toEqual({ body: 'is calling you', stays: true, lasts_ms: 11_500 })
  await push({ ...call, kind: 'over' })
  await visitor.until(async () => (await ringing()) === undefined)
  await visitor.leave()
})

browserTest(
  browser,
  'the title, the tab, the icon of the app and the settings show the unread count',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    const visitor = await installed(chromium, ann, '/app')
    // Headless, the browser has no icon for the badge.
    await visitor.page.addInitScript(() => {
      Navigator.prototype.setAppBadge = async (count) => void Object.assign(window, { badge: count })
      Navigator.prototype.clearAppBadge = async () => void Object.assign(window, { badge: 0 })
    })
    const badge = () => visitor.page.evaluate(() => Reflect.get(window, 'badge'))
    await visitor.page.reload()
    await say(ben, channel_id, `<@${ann.id}> kingfishers`)
    await visitor.page.waitForFunction(() => document.title.startsWith('(1) '))
    await visitor.until(async () => (await badge()) === 1)
    expect(await visitor.page.locator('link[rel=icon]').getAttribute('href')).toStartWith('data:image/svg')
    await visitor.page.goto(`${line.url}/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.sees('kingfishers')
    await visitor.page.waitForFunction(() => !document.title.startsWith('('))
    await visitor.until(async () => (await badge()) === 0)
    await visitor.page.getByRole('button', { name: 'Settings', exact: true }).click()
    await visitor.page
      .getByRole('navigation', { name: 'Sections' })
      .getByRole('button', { name: 'Notifications', exact: true })
      .click()
    await visitor.sees('On all your devices')
    await visitor.field('Hide names and text').check()
    await visitor.field('Do not disturb').check()
    await visitor.field('From').fill('23:15')
    const settings = async () => (await ann.get('/api/push/settings')).body
    await visitor.until(async () => (await settings()).quiet_hours?.from === '23:15')
    expect(await settings()).toMatchObject({ hide_content: true, quiet_hours: { until: '07:00' } })
    for (const [width, height] of [
      [390, 844],
      [1280, 800],
    ] as const) {
      await visitor.page.setViewportSize({ width, height })
      expect(await faultsOf(visitor)).toEqual([])
      await shootThemes(visitor, `settings-notices-${width}`)
    }
    await visitor.leave()
  },
)

browserTest(
  browser,
  'the shortcuts of the installed app open the friends and the search for places',
  async (chromium) => {
    const visitor = await installed(chromium, await person(parley, 'ann'), '/app')
    const manifest = await (await fetch(`${line.url}/manifest.webmanifest`)).json()
    const [friends, find] = (manifest as { shortcuts: { url: string }[] }).shortcuts
    await visitor.page.goto(line.url + friends?.url)
    await visitor.sees(visitor.page.getByRole('heading', { name: 'Friends' }))
    await visitor.page.goto(line.url + find?.url)
    await visitor.sees(visitor.page.getByRole('combobox'))
    await visitor.leave()
  },
)

browserTest(browser, 'a share from another program goes into a place that the person chooses', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { channel_id } = await newServer(ann, ben)
  const visitor = await installed(chromium, ann, '/app')
  const bytes = [...(await png(40, 30))]
  // As the system does: it sends a form to the program's address.
  await visitor.page.evaluate((picture) => {
    const form = Object.assign(document.createElement('form'), {
      action: '/share',
      method: 'POST',
      enctype: 'multipart/form-data',
    })
    const text = Object.assign(document.createElement('input'), { name: 'text', value: 'Look at this' })
    const files = Object.assign(document.createElement('input'), { name: 'files', type: 'file' })
    const transfer = new DataTransfer()
    transfer.items.add(new File([new Uint8Array(picture)], 'bird.png', { type: 'image/png' }))
    files.files = transfer.files
    form.append(text, files)
    document.body.append(form)
    form.submit()
  }, bytes)
  await visitor.sees('bird.png')
  const dialog = visitor.page.getByRole('dialog')
  expect(await dialog.getByLabel('Message', { exact: true }).inputValue()).toBe('Look at this')
  await dialog.getByRole('radio', { name: /general/ }).check()
  await shoot(visitor, 'share')
  await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  await visitor.until(async () => {
    const { body } = await ben.get(`/api/channels/${channel_id}/messages`)
    return body[0]?.content === 'Look at this' && body[0].files[0]?.filename === 'bird.png'
  })
  await visitor.leave()
})
