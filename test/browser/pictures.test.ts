import { expect } from 'bun:test'
import { person, newServer, standard } from '../support/harness.ts'
import { picture, secretsIn, typeOfPicture } from '../support/pictures.ts'
import { download, png, upload } from '../support/uploads.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(
  browser,
  'the browser shows pictures that the server cannot decode, or offers them as files; animations move',
  async (chromium) => {
    const alice = await person(parley, 'alice')
    const { server_id, channel_id } = await newServer(alice)
    const spoiled = await png(80, 60)
    new DataView(spoiled.buffer).setUint32(16, 60_000)
    new DataView(spoiled.buffer).setUint32(20, 40_000)
    const files: [string, Uint8Array][] = [
      ['animated.webp', picture('animated.webp')],
      ['moving.gif', picture('moving.gif')],
      ['phone.avif', picture('phone.avif')],
      ['phone.heic', picture('phone.heic')],
      ['huge.png', spoiled],
    ]
    const file_ids: number[] = []
    for (const [name, bytes] of files) file_ids.push((await upload(alice, name, typeOfPicture(name), bytes)).id)
    await alice.post(`/api/channels/${channel_id}/messages`, { content: 'From all telephones', file_ids })

    const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
    const image = (name: string) => visitor.page.locator(`.attachments img[alt="${name}"]`)
    for (const name of ['animated.webp', 'moving.gif', 'phone.avif']) {
      await visitor.sees(image(name))
      await visitor.until(() =>
        image(name).evaluate((element: HTMLImageElement) => element.complete && element.naturalWidth > 0),
      )
    }
    // The page loads the animated file itself, not its first picture.
    for (const name of ['animated.webp', 'moving.gif']) {
      const bytes = await image(name).evaluate(async ({ src }: HTMLImageElement) => {
        return new TextDecoder('latin1').decode(await (await fetch(src)).arrayBuffer())
      })
      expect([name, /ANMF|GIF89a/.test(bytes)]).toEqual([name, true])
    }
    for (const name of ['phone.heic', 'huge.png'])
      await visitor.sees(visitor.page.locator('.attachments button.file', { hasText: name }))
    expect(await visitor.page.locator('.attachments img').count()).toBe(3)
    await shootThemes(visitor, 'undecoded-pictures')
    await visitor.page.setViewportSize({ width: 390, height: 844 })
    await shootThemes(visitor, 'undecoded-pictures-phone')
    await visitor.leave()
  },
)

browserTest(browser, 'a sent picture has no location, unless its sender keeps it', async (chromium) => {
  const alice = await person(parley, 'alice')
  const { server_id, channel_id } = await newServer(alice)
  const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
  const send = async (name: string) => {
    const chosen = { name, mimeType: 'image/jpeg', buffer: picture('photo-with-place.jpg') }
    const choosing = visitor.page.waitForEvent('filechooser')
    await visitor.button('Add files').click()
    await (await choosing).setFiles(chosen)
    await visitor.say(name)
    let file: { id: number; filename: string } | undefined
    await visitor.until(async () => {
      const [message] = (await alice.get(`/api/channels/${channel_id}/messages?limit=1`)).body
      file = message?.files[0]
      return file?.filename === name
    })
    return (await download(alice, file?.id ?? 0)).bytes()
  }
  expect(secretsIn(await send('first.jpg'))).toEqual([])
  await visitor.page.getByRole('button', { name: 'Settings', exact: true }).click()
  await visitor.button('Privacy').click()
  await visitor.page.getByRole('checkbox', { name: /^Keep location and camera/ }).check()
  await shootThemes(visitor, 'keep-metadata')
  await visitor.page.goto(`${parley.url}/app/servers/${server_id}/channels/${channel_id}`)
  expect(secretsIn(await send('second.jpg'))).not.toEqual([])
  await visitor.leave()
})
