import { test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { person, newServer, say, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'

const parley = await standard()

test('a member without read_history sees a note and new messages, writes, and opening marks them read', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const quiet = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'quiet', type: 'text' })).body.id
  const [everyone] = (await alice.get(`/api/servers/${server_id}/roles`)).body
  const path = `/api/channels/${quiet}/permissions/${everyone.id}`
  await alice.put(path, { deny: permissions('read_history') })
  await say(alice, quiet, `<@${bob.id}>, before`)
  const reader = await Page.as(bob, `/app/servers/${server_id}/channels/${channel_id}`)
  const page = reader
  const isUnread = async () => (await bob.get(`/api/unread?channel_ids=${quiet}`)).body[0].newest_id !== null
  await reader.link('quiet, 1 unread').click()
  await reader.sees('You do not have permission to read older messages here.')
  await reader.misses(page.locator('.sidebar .badge'))
  await reader.until(async () => !(await isUnread()))
  await reader.misses(page.getByText('could not be loaded'))

  // A mention that arrives while it is open appears, and is read.
  await say(alice, quiet, `<@${bob.id}>, live`)
  await reader.sees(reader.message('live'))
  await reader.say('Here I am')
  await reader.sees(reader.message('Here I am'))
  await reader.until(async () => !(await isUnread()))
  await reader.link('general').click()
  await say(alice, quiet, `<@${bob.id}>, meanwhile`)
  await reader.link('quiet, 1 unread').click()
  await reader.sees(reader.message('live'))
  await reader.misses(page.locator('.sidebar .badge'))

  // The history appears once the account may read it.
  await alice.delete(path)
  await reader.sees(reader.message('before'))
  await reader.misses(page.getByText('You do not have permission to read older messages'))
  await reader.leave()
})
