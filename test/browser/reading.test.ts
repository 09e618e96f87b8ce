import { expect } from 'bun:test'
import { PASSWORD, person, newServer, say, standard } from '../support/harness.ts'
import { befriend, group, write } from '../support/people.ts'
import { connect } from '../support/socket.ts'
import { browserTest, openBrowser, Visitor } from '../support/browser/visitor.ts'

const parley = await standard()
const browser = await openBrowser()

browserTest(
  browser,
  'a channel opens at the first new message, is read as far as seen, and shows one’s own messages',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const other = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })).body
    const ids: number[] = []
    for (let n = 0; n < 110; n++) ids.push((await say(alice, channel_id, `number ${n} ${'and so on '.repeat(20)}`)).id)
    const socket = await connect(bob)
    await socket.command('channel.ack', { channel_id, message_id: ids[40] })
    socket.close()
    const reader = await Visitor.as(chromium, bob, `/app/servers/${server_id}/channels/${channel_id}`)
    const box = reader.page.locator('.messages > .scroll')
    const isShown = async (text: string) => {
      const [row, frame] = [await reader.message(text).first().boundingBox(), await box.boundingBox()]
      return row !== null && frame !== null && row.y >= frame.y - 1 && row.y + 20 < frame.y + frame.height
    }
    await reader.sees(reader.message('number 41 '))
    await reader.until(() => isShown('number 41 '))
    const line = reader.page.locator('.rule.new')
    expect(await line.count()).toBe(1)
    expect(await reader.page.locator('.message:has(.rule.new)').textContent()).toContain('number 41 ')
    expect((await line.textContent())?.match(/New/g)).toHaveLength(1)
    await reader.sees('Jump to the newest messages')
    // Messages that were not seen stay unread.
    const marks = async () => {
      const live = await connect(bob)
      live.close()
      const ready = live.frames[0]?.d
      return ready.read_marks.find((mark: { channel_id: number }) => mark.channel_id === channel_id)?.message_id
    }
    await reader.until(async () => (await marks()) > (ids[40] ?? 0))
    expect(await marks()).toBeLessThan(ids[60] ?? 0)
    const firstMark = await marks()
    await box.hover()
    await reader.page.mouse.wheel(0, 900)
    await reader.until(async () => (await marks()) > firstMark)
    expect(await marks()).toBeLessThan(ids[80] ?? 0)

    // One's own message is shown, whatever was above, and is not unread.
    await reader.say('an own message')
    await reader.until(() => isShown('an own message'))
    await reader.until(async () => (await marks()) > (ids[109] ?? 0))
    await reader.page.goto(`${parley.url}/app/servers/${server_id}/channels/${other.id}`)
    await reader.sees(reader.link('general'))
    await reader.page.waitForTimeout(300)
    expect(await reader.page.locator('.sidebar .unread').count()).toBe(0)

    // Typing is shown again at once after a message.
    const writer = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`)
    await reader.link('general').click()
    await writer.composer().pressSequentially('so')
    await reader.sees(/is typing/)
    await writer.say('something')
    await reader.misses(reader.page.getByText(/is typing/))
    await writer.composer().pressSequentially('more')
    await reader.sees(/is typing/)
    for (const visitor of [reader, writer]) await visitor.leave()
  },
)

browserTest(
  browser,
  'a group that was never read opens at its beginning, and leads back there from its end',
  async (chromium) => {
    const [alice, bob, carol] = [
      await person(parley, 'alice'),
      await person(parley, 'bob'),
      await person(parley, 'carol'),
    ]
    const groupId = await group(alice, bob, carol)
    for (let n = 0; n < 120; n++) await say(alice, groupId, `number ${n} ${'and so on '.repeat(20)}`)
    const reader = await Visitor.as(chromium, bob, `/c/${groupId}`)
    const first = reader.page.locator('.message:has(.rule.new)')
    await reader.sees(first.getByText('number 0 '))
    const marks = async () => {
      const live = await connect(bob)
      live.close()
      return live.frames[0]?.d.read_marks.find((mark: { channel_id: number }) => mark.channel_id === groupId)
    }
    await reader.until(async () => (await marks())?.message_id > 0)
    const isNewestRead = async () => (await marks()).newest_id === (await marks()).message_id
    expect(await isNewestRead()).toBe(false)
    await reader.button('Jump to the newest messages').click()
    await reader.sees(reader.message('number 119 '))
    await reader.button('New messages above').click()
    await reader.until(async () => {
      const { y = -1 } = (await first.boundingBox()) ?? {}
      return y > 0 && y < 800
    })
    expect(await first.textContent()).toContain('number 0 ')
    await reader.leave()
  },
)

browserTest(
  browser,
  'a deep link survives the login, and names of friends come after a fresh load',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    await say(alice, channel_id, 'deep inside')
    const carol = await person(parley, 'carol')
    await befriend(bob, carol)
    const visitor = await Visitor.stranger(chromium, parley, `/app/servers/${server_id}/channels/${channel_id}`)
    await visitor.field('Username or e-mail').fill(bob.username)
    await visitor.field('Password').fill(PASSWORD)
    await visitor.button('Log in').click()
    await visitor.sees(visitor.message('deep inside'))
    await visitor.page.goto(`${parley.url}/app`)
    await visitor.sees(visitor.page.locator('.people .person', { hasText: carol.display_name }))

    // A conversation too is read as far as it has been seen.
    for (let n = 0; n < 40; n++) await write(carol, bob, `letter ${n} ${'and so on '.repeat(20)}`)
    const row = visitor.page.locator('.sidebar .row', { hasText: carol.display_name })
    await visitor.until(async () => (await row.locator('.badge').textContent()) === '40')
    await row.getByRole('link').click()
    await visitor.sees(visitor.message('letter 0 '))
    const unread = async () => Number((await row.locator('.badge').allTextContents())[0] ?? 0)
    await visitor.until(async () => (await unread()) < 40)
    expect(await unread()).toBeGreaterThan(10)
    await visitor.button('Jump to the newest messages').click()
    await visitor.misses(row.locator('.badge'))

    // The error names a wrong current password, and the note about a right one is above the dialog.
    await visitor.button('Settings').click()
    await visitor.button('Security').click()
    await visitor.field('Current password').fill('Wrong-Horse-7!')
    await visitor.field('New password').fill('Another-Horse-7!')
    await visitor.button('Change password').click()
    await visitor.sees('This is not your current password.')
    await visitor.field('Current password').fill(PASSWORD)
    await visitor.button('Change password').click()
    // Checked in the page: the note disappears after four seconds.
    await visitor.page.waitForFunction(() => {
      const note = document.querySelector<HTMLElement>('dialog .note.shown')
      if (!note?.textContent?.includes('Password changed')) return false
      const { left, top, width, height } = note.getBoundingClientRect()
      note.style.pointerEvents = 'auto'
      return document.elementFromPoint(left + width / 2, top + height / 2) === note
    })
    await visitor.leave()
  },
)

browserTest(
  browser,
  'marks above and below letters stay in their message, and a call fits a phone',
  async (chromium) => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    await say(alice, channel_id, 'above')
    const marks = Array.from({ length: 28 }, (_, n) => String.fromCharCode(0x300 + (n % 20))).join('')
    await say(alice, channel_id, `z${marks}a${marks}l${marks}g${marks}o${marks}`)
    const phone = { viewport: { width: 390, height: 780 } }
    const visitor = await Visitor.as(chromium, alice, `/app/servers/${server_id}/channels/${channel_id}`, phone)
    await visitor.sees(visitor.message('above'))
    const overflows = await visitor.page
      .locator('.rich')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).overflow))
    expect(new Set(overflows)).toEqual(new Set(['clip']))
    const hide = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'Hide', type: 'voice' })).body
    await visitor.page.goto(`${parley.url}/app/servers/${server_id}/channels/${hide.id}`)
    await visitor.sees(visitor.button('Join voice'))

    // On a phone, the tile of the only member of a call is wide enough for its name.
    const partner = await connect(bob)
    await partner.command('voice.join', { channel_id: hide.id, self_mute: true, self_deaf: false })
    const tile = visitor.page.locator('.participant')
    await visitor.sees(tile)
    expect((await tile.boundingBox())?.width).toBeGreaterThan(150)
    partner.close()
    await visitor.leave()
  },
)
