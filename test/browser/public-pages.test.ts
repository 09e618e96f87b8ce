import { expect } from 'bun:test'
import { newServer, person, say, standard } from '../support/harness.ts'
import { begun } from '../support/forums.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { PHONE } from '../support/browser/finger.ts'
import { shootThemes } from '../support/browser/shots.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'
import { png, upload } from '../support/uploads.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(
  browser,
  'public pages and their settings have no accessibility fault, and pages fit a phone in both schemes',
  async (chromium) => {
    const [ann, ben] = [await person(parley, 'ann'), await person(parley, 'ben')]
    const { server_id } = await newServer(ann, ben)
    await ann.put('/api/auth/privacy', { public_name: true })
    await parley.parts.sql`update members set joined_at = now() - interval '9 days' where server_id = ${server_id}`
    await ann.put(`/api/servers/${server_id}`, { name: 'Birds of the valley', description: 'Sightings and questions' })
    const make = async (body: object) => (await ann.post(`/api/servers/${server_id}/channels`, body)).body
    const forum = await make({
      name: 'Which bird is it?',
      type: 'forum',
      topic: 'Ask with a picture, if you have one.',
    })
    const talk = await make({ name: 'talk', type: 'text', topic: 'Everything else' })

    await ann.put(`/api/servers/${server_id}`, { public: true })
    for (const { id } of [forum, talk]) await ann.put(`/api/channels/${id}`, { public: true })
    const text = [
      '# A call at night',
      'It calls **twice**, then waits. ||Perhaps a young one?||',
      '> like a squeaky gate',
      '- near the church\n- every evening since Monday',
      '```\ngps 52.1, 4.3\n```',
      `https://owls.example/${'long-'.repeat(30)} and <#${talk.id}>`,
    ]
    const owl = await begun(ann, forum.id, 'Which owl calls at night, twice, and then waits?', text.join('\n'))
    const answer = await say(ben, owl.id, 'A tawny owl, a male.')
    const picture = await upload(ben, 'owl.png', 'image/png', await png(900, 500))
    await ben.post(`/api/channels/${owl.id}/messages`, { content: 'This one.', file_ids: [picture.id] })
    await ben.post(`/api/channels/${owl.id}/messages`, { content: 'There?', reply_to_id: answer.id })
    await ann.put(`/api/channels/${owl.id}`, { answer_message_id: answer.id })
    await begun(ben, forum.id, 'A heron at the weir', 'It stood there for an hour. '.repeat(12))

    const paths = {
      server: `/p/${server_id}`,
      forum: `/p/${server_id}/${forum.id}`,
      post: `/p/${server_id}/${forum.id}/${owl.id}`,
    }
    for (const [name, path] of Object.entries(paths))
      for (const [size, options] of Object.entries({ wide: {}, phone: PHONE })) {
        const reader = await Visitor.stranger(chromium, parley, path, options)
        expect([name, size, await faultsOf(reader)]).toEqual([name, size, []])
        expect(await reader.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
        await shootThemes(reader, `public-${name}-${size}`)
        await reader.leave()
      }

    const phone = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${talk.id}`, PHONE)
    await phone.sees('Anyone can read what you write here, without an account.')
    await shootThemes(phone, 'public-line-phone')
    expect(await faultsOf(phone)).toEqual([])
    await phone.leave()

    const owner = await Visitor.as(chromium, ann, `/app/servers/${server_id}/channels/${talk.id}`)
    await owner.inServerMenu('Server settings')
    await owner.sees('Channels of this server may be public')
    await owner.page.setViewportSize({ width: 390, height: 844 })
    await owner.page.getByText('Search engines may list them').scrollIntoViewIfNeeded()
    await shootThemes(owner, 'public-server-settings-phone')
    expect(await faultsOf(owner)).toEqual([])
    await owner.page.setViewportSize({ width: 1280, height: 800 })
    await owner.page.keyboard.press('Escape')
    const row = owner.page.locator('.sidebar li', { hasText: 'talk' })
    await row.hover()
    await row.getByRole('button', { name: /Settings of|Channel settings/ }).click()
    await owner.button('Public pages').click()
    await owner.sees('Include older messages')
    await owner.page.setViewportSize({ width: 390, height: 844 })
    await shootThemes(owner, 'public-channel-settings-phone')
    expect(await faultsOf(owner)).toEqual([])
    await owner.leave()
  },
)
