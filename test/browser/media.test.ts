import { expect } from 'bun:test'
import { type Person, person, newServer, standard } from '../support/harness.ts'
import { jpeg, png, upload, wav } from '../support/uploads.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

async function post(who: Person, channel_id: number, content: string, ...files: [string, string, Uint8Array][]) {
  const file_ids: number[] = []
  for (const [name, type, bytes] of files) file_ids.push((await upload(who, name, type, bytes)).id)
  const sent = await who.post(`/api/channels/${channel_id}/messages`, { content, file_ids })
  expect(sent.status).toBe(201)
}

browserTest(
  browser,
  'the viewer shows the pictures of a channel one after another, enlarged by keys, wheel and fingers',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    await bob.put('/api/auth/display-name', { display_name: 'Bob' })
    await post(bob, channel_id, 'one', ['one.png', 'image/png', await png(300, 200)])
    await post(
      bob,
      channel_id,
      'two',
      ['two.png', 'image/png', await png(900, 900)],
      ['two b.jpg', 'image/jpeg', jpeg(1)],
    )
    await post(bob, channel_id, 'hidden', ['SPOILER_end.png', 'image/png', await png(200, 200)])
    const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`, {
      hasTouch: true,
    })
    const { keyboard, mouse } = visitor.page
    const viewer = visitor.page.locator('dialog.viewer')
    const title = () => viewer.locator('h2').textContent()
    const scale = () => viewer.locator('.sheet').evaluate((sheet) => new DOMMatrix(getComputedStyle(sheet).transform).a)

    // A file marked as a spoiler is covered, in the channel and in the viewer.
    const cover = visitor.button('Show spoiler file')
    await visitor.sees(cover)
    expect(await visitor.button('Open end.png').count()).toBe(0)

    await visitor.button('Open two.png').click()
    await visitor.sees(viewer.getByText('2 of 4'))
    await visitor.sees(viewer.getByText('Bob'))
    expect(await title()).toBe('two.png')
    await keyboard.press('ArrowLeft')
    await visitor.until(async () => (await title()) === 'one.png')
    await keyboard.press('ArrowLeft')
    expect(await title()).toBe('one.png')
    await keyboard.press('End')
    await visitor.until(async () => (await title()) === 'end.png')
    await visitor.sees(viewer.getByRole('button', { name: 'Show spoiler file' }))
    await viewer.getByRole('button', { name: 'Previous picture' }).click()
    await visitor.until(async () => (await title()) === 'two b.jpg')

    await keyboard.press('+')
    await visitor.until(async () => (await scale()) === 1.5)
    await keyboard.press('0')
    await visitor.until(async () => (await scale()) === 1)
    await mouse.move(640, 400)
    await mouse.wheel(0, -400)
    await visitor.until(async () => (await scale()) > 2)
    for (let n = 0; n < 20; n++) await mouse.wheel(0, -400)
    await visitor.until(async () => (await scale()) === 8)
    // The next picture begins unzoomed.
    await keyboard.press('ArrowLeft')
    await visitor.until(async () => (await scale()) === 1)
    await viewer.locator('.stage').dblclick()
    await visitor.until(async () => (await scale()) === 2.5)
    await keyboard.press('0')
    const touch = await visitor.page.context().newCDPSession(visitor.page)
    const fingers = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...xs: number[]) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: xs.map((x, id) => ({ x, y: 400, id })) })
    await fingers('touchStart', 600, 680)
    for (const apart of [60, 80, 100, 120]) await fingers('touchMove', 640 - apart, 640 + apart)
    await fingers('touchEnd')
    await visitor.until(async () => (await scale()) > 2.5)

    // The focus stays in the viewer, and returns to the picture.
    for (let n = 0; n < 12; n++) {
      await keyboard.press('Tab')
      expect(await visitor.page.evaluate(() => document.activeElement?.closest('dialog, body')?.tagName)).not.toBe(
        'MAIN',
      )
    }
    expect(await viewer.getByRole('link', { name: 'Open the original in a new tab' }).getAttribute('target')).toBe(
      '_blank',
    )
    const [saved] = await Promise.all([
      visitor.page.waitForEvent('popup'),
      viewer.getByRole('link', { name: 'Open the original in a new tab' }).click(),
    ])
    await saved.close()
    await viewer.getByRole('button', { name: 'Download' }).focus()
    await keyboard.press('Escape')
    await visitor.misses(viewer)
    await visitor.until(() =>
      visitor.page.evaluate(() => document.activeElement?.getAttribute('aria-label') === 'Open two.png'),
    )
    await cover.press('Enter')
    await visitor.sees(visitor.button('Open end.png'))

    // A sender can mark a file in advance.
    const chosen = visitor.page.waitForEvent('filechooser')
    await visitor.button('Add files').click()
    const own = { name: 'own.png', mimeType: 'image/png', buffer: Buffer.from(await png(60, 60)) }
    await (await chosen).setFiles([own])
    await visitor.button('Mark own.png as a spoiler').click()
    await visitor.composer().fill('mine')
    await visitor.page.locator('button.send').tap()
    await visitor.sees(visitor.message('mine').getByRole('button', { name: 'Show spoiler file' }))
    await visitor.leave()
  },
)

browserTest(
  browser,
  'sounds and videos play in the page, one at a time, and an unplayable one is a file',
  async (chromium) => {
    const alice = await person(parley, 'alice')
    const { server_id, channel_id } = await newServer(alice)
    await post(alice, channel_id, 'sounds', ['first.wav', 'audio/wav', wav()], ['second.wav', 'audio/wav', wav()])
    const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
    // A later address interrupts the earlier request.
    const players = visitor.page.locator('.player audio[src]')
    await visitor.until(async () => (await players.count()) === 2)
    const isPlaying = (at: number) => players.nth(at).evaluate((sound) => !(sound as HTMLMediaElement).paused)
    const play = (at: number) => players.nth(at).evaluate((sound) => (sound as HTMLMediaElement).play())
    await players.nth(0).evaluate((sound) => ((sound as HTMLMediaElement).loop = true))
    await play(0)
    expect(await isPlaying(0)).toBe(true)
    await play(1)
    await visitor.until(async () => !(await isPlaying(0)))
    await visitor.sees(visitor.page.getByRole('figure', { name: 'first.wav' }))
    await visitor.sees(visitor.button('Download first.wav'))

    // A video in the browser's own format. A failed load is retried.
    const bytes = await visitor.page.evaluate(record)
    let failed = 0
    await visitor.page.route('**/*', (route) =>
      route.request().resourceType() === 'media' && failed++ === 0 ? route.abort() : route.continue(),
    )
    await post(
      alice,
      channel_id,
      'films',
      ['weir.webm', 'video/webm', Uint8Array.from(bytes)],
      ['SPOILER_b.webm', 'video/webm', Uint8Array.from(bytes)],
    )
    const film = visitor.page.locator('.player video').first()
    await visitor.sees(film)
    await visitor.until(() => film.evaluate((video) => (video as HTMLVideoElement).readyState >= 2))
    expect(failed).toBeGreaterThan(1)
    await visitor.page.unroute('**/*')
    await visitor.sees(visitor.button('Show spoiler file'))

    // An unreadable film is offered as a file.
    const broken = Uint8Array.from(bytes.slice(0, 60).concat(Array(400).fill(7)))
    await post(alice, channel_id, 'broken', ['broken.webm', 'video/webm', broken])
    await visitor.sees(visitor.page.locator('.file', { hasText: 'broken.webm' }))
    await visitor.leave()
  },
)

/** The position of the page's first player, s, and its speed. */
const playerState = (visitor: Visitor) =>
  visitor.page.evaluate(() => {
    const sound = document.querySelector<HTMLAudioElement>('.player audio')
    return { at: sound?.currentTime ?? 0, rate: sound?.playbackRate, src: sound?.networkState, length: sound?.duration }
  })

/** Waits until the recording's meter shows sound. */
const hears = (visitor: Visitor) =>
  visitor.until(() =>
    visitor.page.evaluate(() => {
      const bars =
        document
          .querySelector('.recording .waveform path')
          ?.getAttribute('d')
          ?.match(/v[\d.]+/g) ?? []
      return bars.some((bar) => Number(bar.slice(1)) > 6)
    }),
  )

browserTest(
  browser,
  'a voice message is recorded and sent by keyboard, and played at three speeds from any position',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    const visitor = await Visitor.as(chromium, alice, path)
    const { keyboard } = visitor.page
    const newest = async () => (await alice.get(`/api/channels/${channel_id}/messages`)).body[0]
    const focused = (name: string) =>
      visitor.until(() => visitor.page.evaluate((label) => document.activeElement?.ariaLabel === label, name))
    const record = visitor.button('Record a voice message')

    // Escape discards it, and the field has the focus again.
    await record.press('Enter')
    await focused('Send the recording')
    await hears(visitor)
    await keyboard.press('Escape')
    await visitor.misses(visitor.page.locator('.recording'))
    const writes = () => visitor.until(() => visitor.composer().evaluate((field) => field === document.activeElement))
    await writes()
    expect(await visitor.page.locator('.tray li').count()).toBe(0)

    // A finished recording is sent with the text that follows.
    await record.press('Enter')
    await hears(visitor)
    await visitor.button('Stop and send later').click()
    await visitor.sees(visitor.page.locator('.tray', { hasText: 'voice-message.webm' }))
    await writes()
    await visitor.button('Remove voice-message.webm').click()
    await visitor.misses(visitor.page.locator('.tray li'))

    await record.press('Enter')
    await focused('Send the recording')
    await hears(visitor)
    await shootThemes(visitor, 'recording')
    expect(await faultsOf(visitor)).toEqual([])
    await visitor.until(async () => Number((await visitor.page.locator('.clock').textContent())?.slice(2)) >= 2)
    await keyboard.press('Enter')
    await visitor.sees(visitor.page.getByRole('figure', { name: 'Voice message' }))
    await visitor.until(async () => (await newest()) !== undefined)
    const [file] = (await newest()).files
    expect(file).toMatchObject({ filename: 'voice-message.webm', content_type: 'audio/webm' })
    expect(file.duration_ms).toBeGreaterThan(1000)
    expect(Math.max(...Buffer.from(file.waveform, 'base64'))).toBe(255)

    // Nothing of it is loaded in advance; loading shows its length, so that one can seek.
    const other = await Visitor.as(chromium, bob, path, { viewport: { width: 390, height: 780 }, hasTouch: true })
    await other.sees(other.page.getByRole('figure', { name: 'Voice message' }))
    await other.until(async () => (await playerState(other)).src === 1)
    expect(await playerState(other)).toMatchObject({ at: 0, src: 1, length: Number.NaN })
    // The sound must not end before the test pauses it.
    await other.page.locator('.player audio').evaluate((sound) => ((sound as HTMLAudioElement).loop = true))
    await other.button(/^Speed: 1/).tap()
    await other.button('Play Voice message').tap()
    await other.until(async () => (await playerState(other)).at > 0)
    expect((await playerState(other)).rate).toBe(1.5)
    expect(Number.isFinite((await playerState(other)).length)).toBe(true)
    await other.button('Pause Voice message').tap()
    await other.button('Play Voice message').waitFor()
    await other.page.getByLabel('Position in Voice message').fill(String(file.duration_ms / 2000))
    await other.until(async () => Math.abs((await playerState(other)).at - file.duration_ms / 2000) < 0.2)
    await other.button(/^Speed: 1.5/).tap()
    await other.sees(other.button(/^Speed: 2/))
    expect(await faultsOf(other)).toEqual([])
    await shootThemes(other, 'voice-message-phone')
    await other.page.reload()
    await other.sees(other.button(/^Speed: 2/))
    await other.button('Play Voice message').tap()
    await other.until(async () => (await playerState(other)).at > 0 && (await playerState(other)).rate === 2)
    await shootThemes(visitor, 'voice-message')

    // Without a microphone the field stays.
    await visitor.page.evaluate(() => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotFoundError'))
    })
    await record.click()
    await visitor.sees('There is no microphone')
    await visitor.sees(visitor.composer())
    for (const each of [visitor, other]) await each.leave()
  },
)

browserTest(browser, 'a discarded recording is stored nowhere', async (chromium) => {
  const alice = await person(parley, 'alice')
  const { server_id, channel_id } = await newServer(alice)
  const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
  // Its meter runs often enough to fire between the discard and the next frame.
  await visitor.page.evaluate(() => {
    const begin = window.setInterval.bind(window) as (work: () => void, ms?: number) => number
    Object.assign(window, { setInterval: (work: () => void, ms = 0) => begin(work, ms < 100 ? 1 : ms) })
  })
  for (let n = 0; n < 3; n++) {
    await visitor.button('Record a voice message').press('Enter')
    await hears(visitor)
    await visitor.page.keyboard.press('Escape')
    await visitor.misses(visitor.page.locator('.recording'))
    // Long enough for it to have been added.
    await visitor.page.waitForTimeout(300)
    expect(await visitor.page.locator('.tray li').count()).toBe(0)
  }
  await visitor.leave()
})

/** Runs in the page: records some frames of a canvas. */
async function record(): Promise<number[]> {
  const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 36 })
  const context = canvas.getContext('2d')
  const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm' })
  const parts: Blob[] = []
  recorder.ondataavailable = ({ data }) => data.size > 0 && parts.push(data)
  recorder.start(50)
  // A busy machine encodes the first picture late, and a film without pictures is broken.
  for (let n = 0; n < 12 || parts.length === 0; n++) {
    context?.fillRect(n % 64, n % 36, 9, 9)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const ended = new Promise((resolve) => (recorder.onstop = resolve))
  recorder.stop()
  await ended
  return [...new Uint8Array(await new Blob(parts).arrayBuffer())]
}
