import { expect, test } from 'bun:test'
import { exportOf } from '../../support/factors.ts'
import { type Person, standard } from '../../support/harness.ts'
import { befriend, passersBy, write } from '../../support/people.ts'
import { goOffline, replayed, resume } from '../../support/resuming.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()

/** Alice has written to bob, who has blocked her since. */
async function blocked(...texts: string[]) {
  const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
  await befriend(alice, bob)
  const sent: number[] = []
  for (const text of texts) sent.push((await write(alice, bob, text)).id)
  expect((await bob.post(`/api/friends/${alice.id}/block`)).status).toBeLessThan(300)
  return { alice, bob, sent }
}
const readTimes = async (who: Person, other: Person): Promise<(string | null)[]> =>
  (await who.get(`/api/dm/${other.id}/messages`)).body
    .map((row: { read_at: string | null }) => row.read_at)
    .toReversed()
const firstConversation = async (who: Person) => (await who.get('/api/dm/conversations')).body[0]

for (const how of ['one by one', 'all at once'] as const)
  test(`an account that was blocked since gets no receipt of old messages that are read ${how}`, async () => {
    const { alice, bob, sent } = await blocked('One', 'Two')
    const s = await goOffline(alice)
    const [hers, his] = [await connect(alice), await connect(bob)]
    if (how === 'all at once')
      expect((await bob.post(`/api/dm/${alice.id}/read-all`)).body).toMatchObject({ unread_count: 0 })
    else
      for (const id of sent) {
        const { body } = await bob.post(`/api/dm/messages/${id}/read`)
        expect(body.read_at).toBeString()
        // Reading it again changes nothing.
        expect((await bob.post(`/api/dm/messages/${id}/read`)).body).toEqual(body)
      }
    await his.next('dm.read', ({ d }) => d.message_id === sent[1] && d.unread_count === 0)
    await hers.settled()
    expect(hers.of('dm.read')).toEqual([])
    expect(replayed(await resume(alice, s)).filter(({ t }) => t === 'dm.read')).toEqual([])
    expect(await readTimes(alice, bob)).toEqual([null, null])
    expect((await firstConversation(alice)).last_message.read_at).toBeNull()
    expect(await readTimes(bob, alice)).toEqual([expect.any(String), expect.any(String)])
    expect(await firstConversation(bob)).toMatchObject({
      unread_count: 0,
      last_message: { read_at: expect.any(String) },
    })
    const { direct_messages } = (await exportOf(alice)).body
    expect(direct_messages).toMatchObject(sent.map((id) => ({ id, read_at: null })))
    for (const live of [hers, his]) live.close()
  })

test('after the block is lifted, reading everything gives the receipts that were withheld', async () => {
  const { alice, bob, sent } = await blocked('One', 'Two')
  await bob.post(`/api/dm/messages/${sent[0]}/read`)
  const [early] = await readTimes(bob, alice)
  expect((await bob.post(`/api/friends/${alice.id}/unblock`)).status).toBeLessThan(300)
  await befriend(alice, bob)
  const third = await write(alice, bob, 'Three')
  const [hers, his] = [await connect(alice), await connect(bob)]
  expect((await bob.post(`/api/dm/messages/${third.id}/read`)).body.read_at).toBeString()
  const { d: single } = await hers.next('dm.read')
  expect(single).toMatchObject({ message_id: third.id, all: false })
  expect(await readTimes(alice, bob)).toEqual([null, null, single.read_at])
  // An edit sends each side its own view.
  await alice.put(`/api/dm/messages/${sent[0]}`, { content: 'One!' })
  expect((await hers.next('message.updated')).d.read_at).toBeNull()
  expect((await his.next('message.updated')).d.read_at).toBe(early)
  await bob.post(`/api/dm/${alice.id}/read-all`)
  const { d: all } = await hers.next('dm.read', ({ d }) => d.all)
  expect(all.message_id).toBe(sent[1])
  expect(await readTimes(alice, bob)).toEqual([all.read_at, all.read_at, single.read_at])
  expect(await readTimes(bob, alice)).toEqual([early, all.read_at, single.read_at])
  await bob.post(`/api/dm/${alice.id}/read-all`)
  await hers.settled()
  expect(hers.of('dm.read')).toHaveLength(2)
  for (const live of [hers, his]) live.close()
})

test('a message that was read before the block keeps its receipt', async () => {
  const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
  await befriend(alice, bob)
  const [one] = [await write(alice, bob, 'One'), await write(alice, bob, 'Two')]
  const { read_at } = (await bob.post(`/api/dm/messages/${one.id}/read`)).body
  await bob.post(`/api/friends/${alice.id}/block`)
  await bob.post(`/api/dm/${alice.id}/read-all`)
  expect(await readTimes(alice, bob)).toEqual([read_at, null])
})
