import { expect } from 'bun:test'
import { newServer, person, say, standard } from '../support/harness.ts'
import { begun } from '../support/forums.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { PHONE } from '../support/browser/finger.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(
  browser,
  'a forum, its form and a post have no accessibility fault, wide and on a phone',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id } = await newServer(ann, ben)
    const fields = {
      tags: [
        { name: 'Question', emoji: '❓' },
        { name: 'Sighting', emoji: '🦉' },
        { name: 'Solved', moderated: true },
      ],
      guidelines: 'One bird a post, **please**.',
      default_reaction: '👍',
    }
    const draft = { name: 'birds', type: 'forum', ...fields }
    const forum = (await ann.post(`/api/servers/${server_id}/channels`, draft)).body
    const [question, sighting] = forum.tags.map(({ id }: { id: number }) => id)
    const owl = await begun(ann, forum.id, 'Which owl calls at night?', 'Near the church, **every** evening.', {
      tag_ids: [question, sighting],
    })
    const answer = await say(ben, owl.id, 'A tawny owl, a male.')
    await ann.put(`/api/channels/${owl.id}`, { answer_message_id: answer.id, pinned: true })
    await begun(ben, forum.id, 'A heron at the weir', 'It stood there for an hour. '.repeat(12), {
      tag_ids: [sighting],
    })
    const path = `/app/servers/${server_id}/channels/${forum.id}`

    const wide = await Visitor.as(chromium, ann, path)
    const posts = wide.page.locator('.posts a.post')
    await wide.sees(posts.filter({ hasText: 'A heron' }))
    await shootThemes(wide, 'wide-list')
    expect(await faultsOf(wide)).toEqual([])
    // By keyboard: the first tag, the next one, then the posts.
    await wide.page.locator('.filters').getByRole('button', { name: 'Question' }).focus()
    await wide.page.keyboard.press('ArrowRight')
    await wide.page.keyboard.press('Enter')
    await wide.until(async () => (await posts.count()) === 2)
    await posts.first().focus()
    await wide.page.keyboard.press('ArrowDown')
    await wide.page.keyboard.press('ArrowUp')
    await wide.page.keyboard.press('Enter')
    await wide.sees(wide.message('a male'))
    await shootThemes(wide, 'wide-post')
    expect(await faultsOf(wide)).toEqual([])
    await wide.page.locator('.forum .begin').click()
    await wide.sees(wide.field('Title'))
    expect(await faultsOf(wide)).toEqual([])
    await wide.leave()

    const phone = await Visitor.as(chromium, ben, path, PHONE)
    await phone.sees(phone.page.locator('.posts a.post', { hasText: 'Which owl' }))
    await shootThemes(phone, 'phone-list')
    expect(await faultsOf(phone)).toEqual([])
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await phone.page.locator('.posts a.post', { hasText: 'Which owl' }).tap()
    await phone.sees(phone.message('a male'))
    await shootThemes(phone, 'phone-post')
    await phone.leave()
  },
)
