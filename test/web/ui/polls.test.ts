import { expect, test } from 'bun:test'
import { person, newServer, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

async function scene() {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const path = `/app/servers/${server_id}/channels/${channel_id}`
  const begin = async (poll: object = {}) => {
    const day = { question: 'Which day?', answers: [{ text: 'Saturday' }, { text: 'Sunday' }] }
    return (await alice.post(`/api/channels/${channel_id}/messages`, { poll: { ...day, ...poll } })).body.id
  }
  const pollOf = async (id: number) => (await bob.get(`/api/messages/${id}`)).body.poll
  return { alice, bob, channel_id, path, begin, pollOf }
}

test('a poll is begun in the composer, voted in, changed and ended', async () => {
  const { alice, bob, channel_id, path } = await scene()
  const [author, voter] = [await Page.as(alice, path), await Page.as(bob, path)]
  await author.sees(author.composer())
  await author.button('Create poll').click()
  const dialog = author.dialog('Create poll')
  await author.field('Question').fill('Which day?')
  await author.field('Answer 1').fill('🥾 Saturday')
  await dialog.getByRole('button', { name: 'Add answer' }).click()
  await author.field('Answer 2').fill('Sunday')
  await dialog.getByRole('button', { name: 'Send poll' }).click()
  await author.misses(dialog)
  const [message] = (await alice.get(`/api/channels/${channel_id}/messages`)).body
  expect(message.poll).toMatchObject({
    question: 'Which day?',
    answers: [
      { text: 'Saturday', emoji: '🥾' },
      { text: 'Sunday', emoji: null },
    ],
  })
  await voter.getByRole('radio', { name: 'Sunday' }).click()
  await voter.button('Vote').click()
  await voter.sees('1 vote, 100 %')
  await author.sees('1 person voted')
  await author.button('Show results').click()
  await author.button('1 vote, 100 %').click()
  await author.sees(author.dialog('Votes for Sunday'))
  await author.keyboard.press('Escape')
  await voter.button('Change vote').click()
  await voter.getByRole('radio', { name: /Saturday/ }).click()
  await voter.button('Vote').click()
  await voter.sees(voter.getByRole('img', { name: 'Your vote' }))
  expect((await bob.get(`/api/messages/${message.id}`)).body.poll.counts).toEqual([1, 0])
  await author.button('End poll').click()
  await author.dialog('End poll').getByRole('button', { name: 'End poll' }).click()
  await voter.sees('A poll has ended.')
  await voter.sees(/^Ended|· Ended/)
  expect(await voter.button('Change vote').count()).toBe(0)
  for (const page of [author, voter]) await page.leave()
})

test('an anonymous poll says so, hides its counts, and takes one vote', async () => {
  const { bob, path, begin, pollOf } = await scene()
  const id = await begin({ anonymous: true, multiple: true })
  const voter = await Page.as(bob, path)
  await voter.sees(/This poll is anonymous/)
  await voter.getByRole('checkbox', { name: 'Saturday' }).click()
  await voter.getByRole('checkbox', { name: 'Sunday' }).click()
  await voter.button('Vote').click()
  await voter.sees(/You voted/)
  expect(await pollOf(id)).toMatchObject({ voter_count: 1, counts: null, mine: { voted: true } })
  expect(await voter.button('Change vote').count()).toBe(0)
  expect(await voter.button('Show results').count()).toBe(0)
  await voter.leave()
})
