import { expect } from 'bun:test'
import { newServer, PASSWORD, person } from '../../harness.ts'
import { png } from '../../uploads.ts'
import { Visitor } from '../visitor.ts'
import type { Story } from './story.ts'

const register = async (visitor: Visitor, name: string, displayName: string) => {
  await visitor.field('What should people call you?').fill(displayName)
  await visitor.field('Username').fill(name)
  await visitor.field('E-mail').fill(`${name}@example.org`)
  await visitor.field('Password').fill(PASSWORD)
  await visitor.button('Create account').click()
}

/** Two people register and talk. */
export const arriving: Story = {
  claim: 'two people register, join a server by its invite link, and write, edit and delete messages',
  async run(browser, parley) {
    // Test files of other browsers may run this story on the same server.
    const tag = crypto.randomUUID().slice(0, 8)
    const alice = await Visitor.stranger(browser, parley)
    await alice.link('Create account').click()
    await register(alice, `alice.${tag}`, 'Alice of the Lake')
    await alice.sees('Welcome, Alice of the Lake')
    await alice.sees(alice.page.locator('.me', { hasText: 'Alice of the Lake' }))
    await alice.button('Add a server').click()
    await alice.field('Server name').fill('Birdwatchers')
    await alice.button('Continue').click()
    await alice.button('Create server').click()
    await alice.sees('Add a picture')
    await alice.button('Close').click()
    await alice.sees(alice.page.getByRole('heading', { name: 'general', level: 1 }))
    await alice.button('Invite people').first().click()
    // There is a link at once.
    await alice.until(async () => (await alice.field('Invite link').inputValue()) !== '')
    const invite = await alice.field('Invite link').inputValue()
    expect(invite).toStartWith(`${parley.url}/invite/`)
    await alice.button('Close').click()

    const bob = await Visitor.stranger(browser, parley, new URL(invite).pathname)
    await bob.link('Create account').click()
    await register(bob, `bob.${tag}`, 'Bob')
    await bob.sees('Birdwatchers')
    await bob.sees('1 member')
    await bob.button('Join server').click()
    await bob.sees(bob.page.getByRole('heading', { name: 'general', level: 1 }))
    await alice.sees(alice.page.locator('.members li').nth(1))

    await alice.say('Seen **two** kingfishers')
    await bob.sees(bob.message('kingfishers').locator('strong', { hasText: 'two' }))
    await bob.composer().pressSequentially('Wh')
    await alice.sees(/is typing/)
    await bob.say('Where?')
    await alice.sees(alice.message('Where?'))
    await alice.message('Where?').hover()
    await alice.button('Reply').click()
    await alice.say('At the weir')
    await bob.sees(bob.message('At the weir').locator('.quoted', { hasText: 'Where?' }))

    await alice.composer().press('ArrowUp')
    await alice.field('Edit message').fill('At the old weir')
    await alice.field('Edit message').press('Enter')
    await bob.sees(bob.message('At the old weir').getByText('(edited)'))
    await bob.message('Where?').first().hover()
    await bob.act('Delete message')
    await bob.page.locator('dialog').getByRole('button', { name: 'Delete message' }).click()
    await alice.misses(alice.page.locator('.message:not(:has(.quoted))', { hasText: 'Where?' }))
    await alice.sees('The original message was deleted')
    for (const visitor of [alice, bob]) await visitor.leave()
  },
}

/** Pastes or drops a file of this name on the composer. */
const handFile = (visitor: Visitor, kind: 'paste' | 'drop'): Promise<boolean> =>
  visitor.composer().evaluate((box, type) => {
    const data = new DataTransfer()
    data.items.add(new File(['a kestrel'], `${type}.txt`, { type: 'text/plain' }))
    const event = new Event(type, { bubbles: true, cancelable: true })
    // Firefox's constructor of ClipboardEvent leaves files out.
    Object.defineProperty(event, type === 'paste' ? 'clipboardData' : 'dataTransfer', { value: data })
    return box.dispatchEvent(event)
  }, kind)

/** Waits until a chosen file, the last one, and all before it are uploaded. */
async function isUploaded(visitor: Visitor, name: string): Promise<void> {
  await visitor.sees(visitor.page.locator('.tray li', { hasText: name }))
  await visitor.misses(visitor.page.locator('.tray progress').first())
}

/** Files in messages. */
export const sendingFiles: Story = {
  claim: 'pictures and files are sent by choice, paste and drop, and pictures get a thumbnail',
  async run(browser, parley) {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const path = `/app/servers/${server_id}/channels/${channel_id}`
    const [sender, reader] = [await Visitor.as(browser, alice, path), await Visitor.as(browser, bob, path)]
    const bird = { name: 'bird.png', mimeType: 'image/png', buffer: Buffer.from(await png(900, 600)) }
    const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('a heron') }
    const choosing = sender.page.waitForEvent('filechooser')
    await sender.button('Add files').click()
    await (await choosing).setFiles([bird, notes])
    await isUploaded(sender, notes.name)
    await sender.say('Look')
    await reader.sees(reader.message('Look').locator('.image img'))
    const box = await reader.message('Look').locator('.image').boundingBox()
    expect([box?.width, box?.height].map((n) => Math.round(n ?? 0))).toEqual([402, 269])
    await reader.button('Open bird.png').click()
    await reader.sees(reader.page.locator('dialog.viewer img'))
    await reader.until(() =>
      reader.page.evaluate(() => document.querySelector<HTMLImageElement>('dialog img')?.naturalWidth === 900),
    )
    await reader.page.keyboard.press('Escape')
    // Some browsers open a text in a tab.
    const arrival = Promise.any([reader.page.waitForEvent('popup'), reader.page.waitForEvent('download')])
    await reader.button(/notes.txt/).click()
    await arrival

    for (const kind of ['paste', 'drop'] as const) {
      expect(await handFile(sender, kind)).toBe(false)
      await isUploaded(sender, `${kind}.txt`)
      await sender.say(`by ${kind}`)
      await reader.sees(reader.message(`by ${kind}`).getByText(`${kind}.txt`))
    }
    for (const visitor of [sender, reader]) await visitor.leave()
  },
}
