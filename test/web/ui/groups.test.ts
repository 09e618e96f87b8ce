import { expect, test } from 'bun:test'
import { type Person, person, say, standard } from '../../support/harness.ts'
import { befriend, write } from '../../support/people.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

test('a group is made, named, read, joined by another, and left', async () => {
  const [ann, ben, cat, dan] = [
    await person(parley, 'ann'),
    await person(parley, 'ben'),
    await person(parley, 'cat'),
    await person(parley, 'dan'),
  ]
  for (const other of [ben, cat, dan]) await befriend(ann, other)
  await write(ben, ann, 'Just us two')
  const [first, second] = [await Page.as(ann), await Page.as(ben)]
  await first.button('New conversation').click()
  const choose = (who: Person) => first.getByRole('checkbox', { name: new RegExp(who.display_name) }).check()
  for (const friend of [ben, cat]) await choose(friend)
  await first.button('Create a group of 3').click()
  await first.sees('This is the beginning of the group.')
  await first.say('Hello everybody')

  const row = second.locator('.sidebar li.unread', { hasText: cat.display_name })
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
  await first.button('Close').click()
  await second.sees(second.locator('h1', { hasText: 'Owls' }))

  await first.button('Add people').first().click()
  await first.sees('can see all earlier messages')
  await choose(dan)
  await first.locator('dialog').getByRole('button', { name: 'Add people' }).click()
  const fourth = await Page.as(dan)
  await fourth.locator('.sidebar li', { hasText: 'Owls' }).getByRole('link').click()
  await fourth.sees(fourth.message('Hello everybody'))
  await first.sees('4 people')

  await fourth.button('Group settings').click()
  await fourth.button('Leave the group').click()
  await fourth.getByRole('dialog', { name: 'Leave the group' }).getByRole('button', { name: 'Leave the group' }).click()
  await fourth.misses(fourth.locator('.sidebar li', { hasText: 'Owls' }))
  await first.sees('3 people')
  for (const page of [first, second, fourth]) await page.leave()
})

test('messages of a blocked person in a group are folded until a click', async () => {
  const [ann, ben, cat] = [await person(parley, 'ann'), await person(parley, 'ben'), await person(parley, 'cat')]
  for (const other of [ben, cat]) await befriend(ann, other)
  const { id } = (await ann.post('/api/channels/direct', { recipient_ids: [ben.id, cat.id] })).body
  const { id: messageId } = await say(cat, id, 'Look at me')
  await ann.put(`/api/channels/${id}/pins/${messageId}`)
  await ann.post(`/api/channels/${id}/messages`, { content: 'Why?', reply_to_id: messageId })
  await ben.post(`/api/friends/${cat.id}/block`)
  const page = await Page.as(ben, `/c/${id}`)
  const folded = 'A message from someone you have blocked.'
  await page.sees(page.message('Why?').locator('.quoted', { hasText: folded }))
  await page.button('Pinned messages').first().click()
  await page.sees(page.getByRole('dialog').getByText(folded))
  await page.keyboard.press('Escape')
  await page.button('Search messages').click()
  const field = page.getByRole('combobox', { name: 'Search messages' })
  await field.fill('Look')
  await field.press('Enter')
  await page.sees(page.locator('.result .excerpt', { hasText: folded }))
  expect(await page.getByText('Look at me').count()).toBe(0)
  await page.button('Show message').click()
  await page.sees('Look at me')
  await page.leave()
})
