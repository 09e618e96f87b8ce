import { afterAll, expect } from 'bun:test'
import type { WebSocket, Worker } from 'playwright-core'
import { boot, type Person, person, newServer, say } from '../support/harness.ts'
import { befriend, write } from '../support/people.ts'
import { hurry } from '../support/push-devices.ts'
import { PushService } from '../support/push-service.ts'
import { connect } from '../support/socket.ts'
import { until } from '../support/until.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const browser = await openBrowser()
const service = new PushService()
afterAll(() => service.close())
const parley = await boot({ PUSH_ALLOWED_ADDRESSES: '127.0.0.1' })
const granted = { permissions: ['notifications'] }

/** Opens the settings of notices. */
async function openSettings(visitor: Visitor): Promise<void> {
  await visitor.page.getByRole('button', { name: 'Settings', exact: true }).click()
  const sections = visitor.page.getByRole('navigation', { name: 'Sections' })
  await sections.getByRole('button', { name: 'Notifications', exact: true }).click()
}

/** Turns notices of the open page on. The browser is asked first, and may answer late. */
async function showNotices(visitor: Visitor): Promise<void> {
  await openSettings(visitor)
  await visitor.field('Desktop notifications while Parley is open').check()
  await visitor.until(() => visitor.page.evaluate(() => !!localStorage['parley.notices']?.includes('"desktop":true')))
  await visitor.button('Close').click()
}

/**
 * Opens a page, and waits until the worker controls it and messages that arrive are news to it: what is sent before its
 * connection is synced causes no notice.
 */
async function openPage({ page }: Visitor, path: string): Promise<void> {
  const synced = new Set<WebSocket>()
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => String(payload).includes('"t":"synced"') && synced.add(socket)),
  )
  await page.goto(parley.url + path)
  await page.waitForFunction(async () => {
    await navigator.serviceWorker.ready
    return navigator.serviceWorker.controller !== null
  })
  await until(async () => [...synced].some((socket) => !socket.isClosed()))
}

/** The visible notices. */
const notificationsOf = ({ page }: Visitor) =>
  page.evaluate(async () => {
    const all = await (await navigator.serviceWorker.ready).getNotifications()
    return all.map(({ title, body, tag }) => ({ title, body, tag }))
  })

/** Puts the page in the background, as its script sees it. */
const leaveAlone = ({ page }: Visitor) => page.evaluate(() => void (document.hasFocus = () => false))

/** Runs in the page before its scripts: the push service is the test's, and sounds and notices are counted. */
function takeOver(draft: { endpoint: string; keys: object }): void {
  let isSubscribed = sessionStorage.getItem('subscribed') !== null
  const subscription = {
    options: {},
    toJSON: () => draft,
    unsubscribe: async () => {
      isSubscribed = false
      sessionStorage.removeItem('subscribed')
      return true
    },
  }
  PushManager.prototype.subscribe = async (options) => {
    Object.assign(subscription.options, options)
    isSubscribed = true
    sessionStorage.setItem('subscribed', 'yes')
    return subscription as unknown as PushSubscription
  }
  PushManager.prototype.getSubscription = async () =>
    isSubscribed ? (subscription as unknown as PushSubscription) : null
  Reflect.set(window, 'sounds', 0)
  const start = OscillatorNode.prototype.start
  OscillatorNode.prototype.start = function (when) {
    Reflect.set(window, 'sounds', Number(Reflect.get(window, 'sounds')) + 1)
    start.call(this, when)
  }
  Reflect.set(window, 'told', 0)
  const show = ServiceWorkerRegistration.prototype.showNotification
  ServiceWorkerRegistration.prototype.showNotification = async function (...args) {
    await show.apply(this, args)
    Reflect.set(window, 'told', Number(Reflect.get(window, 'told')) + 1)
  }
}

const subscriptionsOf = async ({ id }: Person) =>
  parley.parts.sql<{ endpoint: string }[]>`select endpoint from push_subscriptions where user_id = ${id}`

browserTest(
  browser,
  'push is switched on in the settings, renewed at the next start or when replaced, and switched off',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    await befriend(ann, ben)
    const device = service.subscription()
    const visitor = await Visitor.as(chromium, ann, '/login', granted)
    await visitor.page.addInitScript(takeOver, device.draft)
    await openPage(visitor, '/app')
    await openSettings(visitor)
    const push = visitor.field(/Notifications while Parley is closed/)
    await push.check()
    await visitor.until(async () => (await subscriptionsOf(ann)).length === 1)
    await visitor.until(() => push.isEnabled())
    expect(await push.isChecked()).toBe(true)
    await shootThemes(visitor, 'push-on')

    // Another session of the browser registers the subscription at its start.
    await parley.parts.sql`delete from push_subscriptions where user_id = ${ann.id}`
    await visitor.page.reload()
    await visitor.until(async () => (await subscriptionsOf(ann))[0]?.endpoint === device.draft.endpoint)
    await visitor.until(async () => (await parley.parts.sql`select 1 from push_position`).length > 0)
    await write(ben, ann, 'Two kingfishers at the weir')
    await visitor.until(async () => {
      await hurry(parley)
      await parley.sweep()
      return device.taken.some(({ message }) => message.text === 'Two kingfishers at the weir')
    })

    // The browser has replaced the subscription while no page was open.
    const other = service.subscription()
    const [worker] = visitor.page.context().serviceWorkers() as [Worker]
    await worker.evaluate((newSubscription) => {
      const Kind: unknown = Reflect.get(globalThis, 'ExtendableEvent')
      dispatchEvent(Object.assign(new (Kind as typeof Event)('pushsubscriptionchange'), { newSubscription }))
    }, other.draft)
    await visitor.until(async () => (await subscriptionsOf(ann))[0]?.endpoint === other.draft.endpoint)

    await openSettings(visitor)
    await push.uncheck()
    await visitor.until(async () => (await subscriptionsOf(ann)).length === 0)
    await visitor.leave()
  },
)

browserTest(
  browser,
  'a page in the background announces messages and calls by notices and a sound, as its device is set',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    await befriend(ann, ben)
    const { channel_id: dm } = await write(ben, ann, 'Hello')
    const { server_id, channel_id } = await newServer(ann, ben)
    const visitor = await Visitor.as(chromium, ann, '/login', granted)
    await visitor.page.addInitScript(takeOver, service.subscription().draft)
    await openPage(visitor, `/app/servers/${server_id}/channels/${channel_id}`)
    const sounds = () => visitor.page.evaluate(() => Number(Reflect.get(window, 'sounds')))
    // Chromium forgets a notification that is being shown while `getNotifications` runs.
    const noticeCount = () => visitor.page.evaluate(() => Number(Reflect.get(window, 'told')))
    await showNotices(visitor)

    // Messages on the screen cause no notice.
    await visitor.composer().focus()
    await say(ben, channel_id, `<@${ann.id}> seen at once`)
    await visitor.sees('seen at once')
    expect([await notificationsOf(visitor), await sounds()]).toEqual([[], 0])

    await leaveAlone(visitor)
    await say(ben, channel_id, `<@${ann.id}> two herons`)
    await visitor.until(async () => (await noticeCount()) === 1)
    const heron = { tag: `place ${channel_id}`, body: expect.stringContaining('two herons') }
    expect(await notificationsOf(visitor)).toEqual([expect.objectContaining(heron)])
    await visitor.until(async () => (await sounds()) === 1)
    // Several concurrent notices are all counted.
    await Promise.all(['A grebe', 'A coot', 'A dipper'].map((bird) => say(ben, channel_id, `<@${ann.id}> ${bird}`)))
    await visitor.until(async () => (await noticeCount()) === 4)
    const merged = { tag: `place ${channel_id}`, body: expect.stringMatching(/^4 new messages: /) }
    expect(await notificationsOf(visitor)).toEqual([expect.objectContaining(merged)])

    // A call: until it is answered or given up.
    const caller = await Visitor.as(chromium, ben, `/c/${dm}`)
    await caller.button('Start a call').click()
    await visitor.until(async () => (await noticeCount()) === 5)
    expect((await notificationsOf(visitor)).find(({ tag }) => tag === `call ${dm}`)).toMatchObject({
      title: ben.display_name,
      body: 'is calling you',
    })
    await caller.button('Leave the call').click()
    await visitor.until(async () => (await notificationsOf(visitor)).every(({ tag }) => tag !== `call ${dm}`))
    await caller.leave()

    // A click on a notice leads to its message, in this window.
    await visitor.link('Conversations').first().click()
    await visitor.until(async () => !visitor.page.url().includes(`/${channel_id}`))
    const [worker] = visitor.page.context().serviceWorkers() as [Worker]
    await worker.evaluate(async (tag) => {
      const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration }
      const [notification] = await registration.getNotifications({ tag })
      const kind: unknown = Reflect.get(globalThis, 'NotificationEvent')
      const make = kind as new (type: string, given: object) => Event
      dispatchEvent(new make('notificationclick', { notification }))
    }, `place ${channel_id}`)
    await visitor.until(async () => (await notificationsOf(visitor)).length === 0)
    await visitor.until(async () => visitor.page.url().includes(`/${channel_id}`))

    // Without sound, and without notices.
    const before = await sounds()
    await openSettings(visitor)
    await visitor.field('Play a sound for messages that are not on screen').uncheck()
    await visitor.field('Desktop notifications while Parley is open').uncheck()
    await visitor.button('Close').click()
    await say(ben, channel_id, `<@${ann.id}> and a grebe`)
    await visitor.sees('and a grebe')
    expect([await notificationsOf(visitor), await sounds()]).toEqual([[], before])
    await visitor.leave()
  },
)

browserTest(
  browser,
  'the notice of a page goes once its message is read, on another device or in the page',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    const visitor = await Visitor.as(chromium, ann, '/login', granted)
    await visitor.page.addInitScript(takeOver, service.subscription().draft)
    await openPage(visitor, `/app/servers/${server_id}/channels/${channel_id}`)
    const noticeCount = () => visitor.page.evaluate(() => Number(Reflect.get(window, 'told')))
    await showNotices(visitor)
    await leaveAlone(visitor)

    const { id: message_id } = await say(ben, channel_id, `<@${ann.id}> two herons`)
    await visitor.until(async () => (await noticeCount()) === 1)
    expect(await notificationsOf(visitor)).toHaveLength(1)
    const phone = await connect(ann)
    await phone.command('channel.ack', { channel_id, message_id })
    await visitor.until(async () => (await notificationsOf(visitor)).length === 0)
    phone.close()

    await say(ben, channel_id, `<@${ann.id}> and a grebe`)
    await visitor.until(async () => (await noticeCount()) === 2)
    expect(await notificationsOf(visitor)).toHaveLength(1)
    await visitor.page.evaluate(() => {
      document.hasFocus = () => true
      window.dispatchEvent(new Event('focus'))
    })
    await visitor.until(async () => (await notificationsOf(visitor)).length === 0)
    await visitor.leave()
  },
)

browserTest(browser, 'messages read before the page has loaded its settings cause no notice', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { channel_id } = await newServer(ann, ben)
  const visitor = await Visitor.as(chromium, ann, '/login', granted)
  await visitor.page.addInitScript(takeOver, service.subscription().draft)
  await openPage(visitor, '/app')
  await showNotices(visitor)
  await leaveAlone(visitor)
  const [question, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await visitor.page.route('**/api/push/settings', async (route) => {
    question.resolve()
    await read.promise
    await route.continue()
  })
  const { id: message_id } = await say(ben, channel_id, `<@${ann.id}> two herons`)
  await question.promise
  await visitor.until(async () => (await visitor.page.title()).startsWith('(1)'))
  const phone = await connect(ann)
  await phone.command('channel.ack', { channel_id, message_id })
  await visitor.until(async () => !(await visitor.page.title()).startsWith('(1)'))
  phone.close()
  read.resolve()

  await say(ben, channel_id, `<@${ann.id}> and a grebe`)
  const noticeCount = () => visitor.page.evaluate(() => Number(Reflect.get(window, 'told')))
  await visitor.until(async () => (await noticeCount()) > 0)
  expect(await notificationsOf(visitor)).toMatchObject([{ body: expect.stringMatching(/^[^:]*grebe/) }])
  expect(await noticeCount()).toBe(1)
  await visitor.leave()
})

browserTest(
  browser,
  'all sounds of notices use one audio context, which begins in a click and rests in between',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id, channel_id } = await newServer(ann, ben)
    const visitor = await Visitor.as(chromium, ann, '/login', granted)
    await visitor.page.addInitScript(takeOver, service.subscription().draft)
    await visitor.page.addInitScript(() => {
      const contexts: AudioContext[] = []
      Reflect.set(window, 'contexts', contexts)
      const Own = AudioContext
      window.AudioContext = class extends Own {
        constructor(options?: AudioContextOptions) {
          super(options)
          contexts.push(this)
        }
      }
    })
    const states = (): Promise<string[]> =>
      visitor.page.evaluate(() => (Reflect.get(window, 'contexts') as AudioContext[]).map(({ state }) => state))
    await openPage(visitor, `/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.sees(visitor.page.locator('.beginning'))
    expect(await states()).toEqual([])
    await visitor.composer().click()
    await visitor.until(async () => (await states()).join() === 'running')
    await visitor.until(async () => (await states()).join() === 'suspended')
    await leaveAlone(visitor)
    for (const [at, bird] of ['A grebe', 'A coot'].entries()) {
      await say(ben, channel_id, `<@${ann.id}> ${bird}`)
      await visitor.until(() => visitor.page.evaluate((count) => Reflect.get(window, 'sounds') === count, at + 1))
      expect(await states()).toEqual(['running'])
      await visitor.until(async () => (await states()).join() === 'suspended')
    }
    await visitor.leave()
  },
)

browserTest(browser, 'a tab sends no notice for messages that another tab of the browser shows', async (chromium) => {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  const { server_id, channel_id } = await newServer(ann, ben)
  const other = (await ann.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })).body
  const front = await Visitor.as(chromium, ann, '/login', granted)
  await front.page.context().addInitScript(takeOver, service.subscription().draft)
  await openPage(front, `/app/servers/${server_id}/channels/${channel_id}`)
  await showNotices(front)
  const back = await front.tab('/login')
  await openPage(back, '/app')
  await leaveAlone(back)
  // The tab in front says now and then what it shows.
  await back.page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const tabs = new BroadcastChannel('parley.focus')
        tabs.onmessage = ({ data }) => data.isActive && resolve()
      }),
  )
  const countOf = ({ page }: Visitor, what: 'told' | 'sounds') =>
    page.evaluate((name) => Number(Reflect.get(window, name)), what)

  await say(ben, channel_id, `<@${ann.id}> a heron`)
  await front.sees('a heron')
  // A later message in a place that no tab shows causes the next notice.
  await say(ben, other.id, `<@${ann.id}> a grebe`)
  await back.until(async () => (await countOf(back, 'told')) > 0)
  expect(await notificationsOf(back)).toMatchObject([{ tag: `place ${other.id}` }])
  expect(await countOf(back, 'told')).toBe(1)
  await back.until(async () => (await countOf(front, 'sounds')) + (await countOf(back, 'sounds')) === 1)
  await front.leave()
})
