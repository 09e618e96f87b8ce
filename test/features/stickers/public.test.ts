import { expect, test } from 'bun:test'
import { boot, type Person } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { publicPlace, settle } from '../../support/public-pages.ts'
import { png, upload } from '../../support/uploads.ts'

const parley = await boot()
const [alice, bob] = await passersBy(parley, 'alice', 'bob')
const get = (path: string) => fetch(parley.url + path, { redirect: 'manual' })

test('a page shows a sticker of its server, and none of another', async () => {
  const { server_id, open_id } = await publicPlace(alice, bob)
  const other = await place(bob, alice)
  const make = async (who: Person, id: number, alt: string) => {
    const file_id = (await upload(who, 'otter.png', 'image/png', await png(64, 64))).id
    return (await who.post(`/api/servers/${id}/stickers`, { name: 'Otter', alt, file_id })).body
  }
  const own = await make(alice, server_id, 'An otter "waves"')
  const foreign = await make(bob, other.server_id, 'A private otter')
  for (const { id } of [own, foreign])
    expect((await bob.post(`/api/channels/${open_id}/messages`, { sticker_id: id })).status).toBe(201)
  await settle(parley, server_id)
  const path = (await get(`/p/${server_id}/${open_id}`)).headers.get('location') ?? ''
  const text = await (await get(path)).text()
  expect(text).toContain(`<img src="${own.url}" alt="An otter &quot;waves&quot;"`)
  expect(text).not.toContain(foreign.url)
  expect(text).not.toContain('private otter')
  expect((await get(own.url)).status).toBe(200)
  const { messages } = await (await get(`${path}.json`)).json()
  expect(messages.map(({ sticker }: any) => sticker?.url)).toEqual([own.url, undefined])
})
