import { person, newServer, say, standard } from '../support/harness.ts'
import { befriend } from '../support/people.ts'
import { shoot } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(browser, 'a link leads to a message in a channel of any type, and a stranger nowhere', async (chromium) => {
  const [ann, ben, cat] = [await person(parley, 'ann'), await person(parley, 'ben'), await person(parley, 'cat')]
  const { channel_id } = await newServer(ann, ben)
  for (const other of [ben, cat]) await befriend(ann, other)
  const { id: groupId } = (await ann.post('/api/channels/direct', { recipient_ids: [ben.id, cat.id] })).body
  const dm = (await ann.post('/api/channels/direct', { recipient_ids: [ben.id] })).body.id
  for (const place of [channel_id, groupId, dm]) {
    const { id } = await say(ann, place, 'The one')
    for (let n = 0; n < 60; n++) await say(ann, place, `Later ${n}`)
    const visitor = await Visitor.as(chromium, ben, `/c/${place}/${id}`)
    const row = visitor.page.locator(`.message[data-id="${id}"]`)
    await visitor.sees(row)
    const box = visitor.page.locator('.messages > .scroll')
    await visitor.until(async () => {
      const [rowBox, frame] = [await row.boundingBox(), await box.boundingBox()]
      return rowBox !== null && frame !== null && rowBox.y >= frame.y - 1 && rowBox.y + 20 < frame.y + frame.height
    })
    await visitor.leave()
  }
  const phone = await Visitor.as(chromium, ben, `/c/${groupId}`, { viewport: { width: 390, height: 800 } })
  await phone.sees(phone.message('Later 59'))
  await shoot(phone, 'phone')
  await phone.button('Channels and servers').click()
  await shoot(phone, 'phone-list')
  await phone.leave()
  const stranger = await Visitor.as(chromium, cat, `/c/${dm}`)
  await stranger.sees('This does not exist, or you have no access to it.')
  await stranger.leave()
})
