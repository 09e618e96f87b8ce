import { expect } from 'bun:test'
import { person, newServer, standard } from '../support/harness.ts'
import { wav } from '../support/uploads.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(
  browser,
  'a sound of some minutes is sent with its waveform, a longer one without, however small its file',
  async (chromium) => {
    const alice = await person(parley, 'alice')
    const { server_id, channel_id } = await newServer(alice)
    const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
    const sounds = [['song.wav', 600] as const, ['book.wav', 780] as const]
    const choosing = visitor.page.waitForEvent('filechooser')
    await visitor.button('Add files').click()
    const files = sounds.map(([name, seconds]) => ({ name, mimeType: 'audio/wav', buffer: Buffer.from(wav(seconds)) }))
    await (await choosing).setFiles(files)
    await visitor.sees(visitor.page.locator('.tray', { hasText: 'book.wav' }))
    await visitor.misses(visitor.page.locator('.tray progress').first())
    await visitor.say('Sounds')
    await visitor.sees(visitor.page.locator('.message .player').nth(1))
    const [message] = (await alice.get(`/api/channels/${channel_id}/messages`)).body
    expect(message.files.map(({ duration_ms, waveform }: any) => [duration_ms, waveform?.length])).toEqual([
      [600_000, 128],
      [null, undefined],
    ])
    await visitor.leave()
  },
)

browserTest(browser, 'a sound is also sent by a browser that does not know its length', async (chromium) => {
  const alice = await person(parley, 'alice')
  const { server_id, channel_id } = await newServer(alice)
  const visitor = await Visitor.as(chromium, alice, '/login')
  // Neither metadata nor an error ever arrive.
  await visitor.page.addInitScript(() =>
    Object.defineProperty(HTMLMediaElement.prototype, 'src', { get: () => '', set: () => {} }),
  )
  await visitor.page.goto(`${parley.url}/app/servers/${server_id}/channels/${channel_id}`)
  const choosing = visitor.page.waitForEvent('filechooser')
  await visitor.button('Add files').click()
  const buffer = Buffer.from(wav(2))
  await (await choosing).setFiles({ name: 'song.wav', mimeType: 'audio/wav', buffer })
  await visitor.sees(visitor.page.locator('.tray', { hasText: 'song.wav' }))
  await visitor.misses(visitor.page.locator('.tray progress'))
  await visitor.leave()
})
