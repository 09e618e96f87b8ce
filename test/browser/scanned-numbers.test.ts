import { expect } from 'bun:test'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { bootCalls } from '../support/browser/voice.ts'
import { type Person, person } from '../support/harness.ts'
import { befriend, write } from '../support/people.ts'
import { png } from '../support/uploads.ts'

const browser = await openBrowser()
const parley = await bootCalls({ CALLS_ENCRYPTION: 'preferred' })

/** Opens the numbers that a page compares with the author of a message. */
async function compare(visitor: Visitor, who: Person): Promise<void> {
  await visitor.page.locator('.byline .name', { hasText: who.display_name }).first().click()
  await visitor.button('Compare numbers').click()
}

/** Two people, each with a device, whose pages show the numbers of both. */
async function comparing(chromium: Parameters<typeof Visitor.as>[0]) {
  const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
  await befriend(ann, ben)
  const { channel_id } = await write(ann, ben, 'Greetings of Ann')
  await write(ben, ann, 'Greetings of Ben')
  const [hers, his] = [
    await Visitor.as(chromium, ann, `/c/${channel_id}`),
    await Visitor.as(chromium, ben, `/c/${channel_id}`),
  ]
  // Her device is listed from her first look on, so that he sees it.
  await compare(hers, ben)
  await hers.sees(`${ben.display_name} has not used encrypted calls yet.`)
  await compare(his, ann)
  await his.sees(his.button('They are the same'))
  await hers.page.keyboard.press('Escape')
  await hers.button('Compare numbers').click()
  await hers.sees(hers.button('They are the same'))
  return { ann, ben, hers, his, end: () => Promise.all([hers, his].map((visitor) => visitor.leave())) }
}

browserTest(
  browser,
  'a picture of the other side’s code verifies that person, and no other picture does',
  async (chromium) => {
    const { hers, his, end } = await comparing(chromium)
    const picture = await his.page.locator('.qr-code').screenshot()
    await hers.button('Scan their code').click()
    const field = hers.page.getByLabel('Or choose a picture of their code')
    await field.setInputFiles({ name: 'cat.png', mimeType: 'image/png', buffer: Buffer.from(await png(60, 40)) })
    await hers.sees('There is no readable code in this picture.')
    await field.setInputFiles({ name: 'cat.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') })
    await hers.sees('There is no readable code in this picture.')
    await hers.sees(hers.button('They are the same'))
    await field.setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer: picture })
    await hers.sees('The code is the same.')
    await hers.sees('Verified on')
    await hers.misses(hers.button('They are the same'))
    await end()
  },
)

browserTest(browser, 'a camera that sees the other side’s code verifies that person', async (chromium) => {
  const { hers, his, end } = await comparing(chromium)
  const drawing = await his.page.locator('.qr-code').evaluate((svg) => new XMLSerializer().serializeToString(svg))
  await hers.page.evaluate(fakeCamera, drawing)
  await hers.button('Scan their code').click()
  await hers.sees('The code is the same.')
  await hers.sees('Verified on')
  expect(await hers.page.evaluate(() => Reflect.get(globalThis, 'cameraState')())).toBe('ended')
  await end()
})

/** In a page: lets the camera see a drawing from some distance. */
async function fakeCamera(drawing: string): Promise<void> {
  const picture = new Image()
  picture.src = `data:image/svg+xml,${encodeURIComponent(drawing)}`
  await picture.decode()
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 })
  const context = canvas.getContext('2d')!
  const draw = (turn: number) => {
    context.fillStyle = '#ddd'
    context.fillRect(0, 0, 640, 480)
    context.fillStyle = '#fff'
    context.fillRect(190 + (turn % 2), 110, 260, 260)
    context.drawImage(picture, 190 + (turn % 2), 110, 260, 260)
  }
  let turn = 0
  setInterval(() => draw(turn++), 100)
  const stream = canvas.captureStream(10)
  navigator.mediaDevices.getUserMedia = async () => stream
  Object.assign(globalThis, { cameraState: () => stream.getTracks()[0]?.readyState })
}
