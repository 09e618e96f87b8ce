import { expect } from 'bun:test'
import { type Person, person, newServer, say, standard } from '../support/harness.ts'
import { befriend, write } from '../support/people.ts'
import { shoot } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(browser, 'a group is made, named, read, joined by another, and left', async (chromium) => {
  const [ann, ben, cat, dan] = [
    await person(parley, 'ann'),
    await person(parley, 'ben'),
    await person(parley, 'cat'),
    await person(parley, 'dan'),
  ]
  for (const other of [ben, cat, dan]) await befriend(ann, other)
  await write(ben, ann, 'Just us two')
  const [first, second] = [await Visitor.as(chromium, ann), await Visitor.as(chromium, ben)]
  await first.button('New conversation').click()
  const choose = (who: Person) => first.page.getByRole('checkbox', { name: new RegExp(who.display_name) }).check()
  for (const friend of [ben, cat]) await choose(friend)
  await shoot(first, 'new')
  await first.button('Create a group of 3').click()
  await first.sees('This is the beginning of the group.')
  await first.say('Hello everybody')

  const row = second.page.locator('.sidebar li.unread', { hasText: cat.display_name })
  await second.sees(row)
  await row.getByRole('link').click()
  await second.sees(second.message('Hello everybody'))
  await second.misses(row)
  await second.say('Hello Ann')
  await first.sees(first.message('Hello Ann'))
  await second.composer().pressSequentially('I')
  await first.sees(/is typing/)

  await first.button('Group settings').click()
  await first.field('Group name').fill('Owls')
  await first.button('Save').click()
  await first.sees('Saved')
  await shoot(first, 'settings')
  await first.button('Close').click()
  await second.sees(second.page.locator('h1', { hasText: 'Owls' }))

  await first.button('Add people').first().click()
  await first.sees('can see all earlier messages')
  await choose(dan)
  await shoot(first, 'add')
  await first.page.locator('dialog').getByRole('button', { name: 'Add people' }).click()
  const fourth = await Visitor.as(chromium, dan)
  await fourth.page.locator('.sidebar li', { hasText: 'Owls' }).getByRole('link').click()
  await fourth.sees(fourth.message('Hello everybody'))
  await first.sees('4 people')
  await shoot(fourth, 'group')

  await fourth.button('Group settings').click()
  await fourth.button('Leave the group').click()
  await fourth.page
    .getByRole('dialog', { name: 'Leave the group' })
    .getByRole('button', { name: 'Leave the group' })
    .click()
  await fourth.misses(fourth.page.locator('.sidebar li', { hasText: 'Owls' }))
  await first.sees('3 people')
  for (const visitor of [first, second, fourth]) await visitor.leave()
})

browserTest(browser, 'messages of a blocked person in a group are folded until a click', async (chromium) => {
  const [ann, ben, cat] = [await person(parley, 'ann'), await person(parley, 'ben'), await person(parley, 'cat')]
  for (const other of [ben, cat]) await befriend(ann, other)
  const { id } = (await ann.post('/api/channels/direct', { recipient_ids: [ben.id, cat.id] })).body
  const { id: messageId } = await say(cat, id, 'Look at me')
  await ann.put(`/api/channels/${id}/pins/${messageId}`)
  await ann.post(`/api/channels/${id}/messages`, { content: 'Why?', reply_to_id: messageId })
  await ben.post(`/api/friends/${cat.id}/block`)
  const visitor = await Visitor.as(chromium, ben, `/c/${id}`)
  const folded = 'A message from someone you have blocked.'
  await visitor.sees(visitor.message('Why?').locator('.quoted', { hasText: folded }))
  await visitor.button('Pinned messages').first().click()
  await visitor.sees(visitor.page.getByRole('dialog').getByText(folded))
  await visitor.page.keyboard.press('Escape')
  await visitor.button('Search messages').click()
  const field = visitor.page.getByRole('combobox', { name: 'Search messages' })
  await field.fill('Look')
  await field.press('Enter')
  await visitor.sees(visitor.page.locator('.result .excerpt', { hasText: folded }))
  expect(await visitor.page.getByText('Look at me').count()).toBe(0)
  await visitor.button('Show message').click()
  await visitor.sees('Look at me')
  await visitor.leave()
})

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
