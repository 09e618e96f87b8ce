import { expect, test } from 'bun:test'
import { newServer, say, standard } from '../../support/harness.ts'
import { persons } from '../../support/people.ts'

const parley = await standard()

test('the log is filtered by person, act and place, and pages through the results', async () => {
  const [owner, helper, guest] = await persons(parley, 'owner', 'helper', 'guest')
  const { server_id, channel_id } = await newServer(owner, helper, guest)
  const other = (await owner.post(`/api/servers/${server_id}/channels`, { name: 'reeds', type: 'text' })).body.id
  await owner.put(`/api/channels/${channel_id}`, { topic: 'Herons' })
  const message = await say(guest, channel_id, 'Spam')
  await owner.delete(`/api/messages/${message.id}`)
  await owner.put(`/api/servers/${server_id}/bans/${guest.id}`, { reason: 'Spam' })
  const seek = async (query: string) => {
    const { body } = await owner.get(`/api/servers/${server_id}/audit-log?${query}`)
    return body.map((entry: { action: string }) => entry.action)
  }
  expect(await seek(`user_id=${guest.id}`)).toEqual(['member.banned', 'message.deleted'])
  expect(await seek(`user_id=${helper.id}`)).toEqual([])
  expect(await seek('action=channel.created')).toEqual(['channel.created'])
  expect(await seek(`channel_id=${channel_id}`)).toEqual(['message.deleted', 'channel.updated'])
  expect(await seek(`channel_id=${other}&user_id=${owner.id}`)).toEqual(['channel.created'])
  expect(await seek(`user_id=${owner.id}&action=member.banned&limit=1`)).toEqual(['member.banned'])
})
