import { expect, test } from 'bun:test'
import { announce, download, png, put, upload } from '../../support/uploads.ts'
import { person, type Person, newServer, standard } from '../../support/harness.ts'
import { picture, secretsIn, typeOfPicture } from '../../support/pictures.ts'
import { newest, post, webhook } from '../../support/webhooks.ts'

const recorded = async (who: Person, name: string, type: string, bytes: Uint8Array) => {
  const announced = await announce(who, name, type, bytes.length)
  expect((await put(announced, bytes)).status).toBe(200)
  const answer = await who.post('/api/files', { key: announced.key })
  expect([name, answer.status]).toEqual([name, 201])
  return answer.body
}
const thumbnailOf = async (who: Person, id: number) =>
  (await who.get(`/api/files/${id}/download-url?variant=thumbnail`)).status

test('a picture is stored with its type and size, even if the server cannot decode it', async () => {
  const alice = await person(await standard(), 'alice')
  const huge = await png(800, 600)
  new DataView(huge.buffer).setUint32(16, 60_000)
  new DataView(huge.buffer).setUint32(20, 40_000)
  const spoiled = await png(80, 60)
  spoiled.fill(0, 45, spoiled.length - 12)
  const cases: [string, Uint8Array, number, number, number][] = [
    ['animated.webp', picture('animated.webp'), 60, 40, 200],
    ['moving.png', picture('moving.png'), 24, 16, 200],
    ['moving.gif', picture('moving.gif'), 24, 16, 200],
    ['deep.png', picture('deep.png'), 24, 16, 200],
    ['cmyk.jpg', picture('cmyk.jpg'), 16, 24, 200],
    ['phone.heic', picture('phone.heic'), 24, 16, 404],
    ['phone.avif', picture('phone.avif'), 24, 16, 404],
    ['huge.png', huge, 60_000, 40_000, 404],
    ['spoiled.png', spoiled, 80, 60, 404],
  ]
  for (const [name, bytes, width, height, thumbnail] of cases) {
    const file = await recorded(alice, name, typeOfPicture(name), bytes)
    expect([name, file.content_type, file.width, file.height, await thumbnailOf(alice, file.id)]).toEqual([
      name,
      typeOfPicture(name),
      width,
      height,
      thumbnail,
    ])
  }
})

test('the thumbnail of an animated WebP is its first picture, and the file still moves', async () => {
  const alice = await person(await standard(), 'alice')
  const { id } = await recorded(alice, 'animated.webp', 'image/webp', picture('animated.webp'))
  const thumbnail = await (await download(alice, id, '?variant=thumbnail')).bytes()
  expect(await new Bun.Image(thumbnail).metadata()).toMatchObject({ width: 60, height: 40 })
  const bytes = Buffer.from(await (await download(alice, id)).bytes())
  expect(bytes.toString('latin1').match(/ANMF/g)?.length).toBe(2)
})

test('image/jpg is image/jpeg, and other names of a type are that type', async () => {
  const alice = await person(await standard(), 'alice')
  for (const [announced, name, storedType] of [
    ['image/jpg', 'photo-with-place.jpg', 'image/jpeg'],
    ['image/pjpeg', 'photo-with-place.jpg', 'image/jpeg'],
    ['image/apng', 'moving.png', 'image/png'],
    ['image/heif', 'phone.heic', 'image/heif'],
  ] as const) {
    const file = await recorded(alice, name, announced, picture(name))
    expect([file.content_type, file.width !== null]).toEqual([storedType, true])
  }
})

test('a file that cannot be an avatar or icon is refused with the reason', async () => {
  const alice = await person(await standard(), 'alice')
  const { server_id } = await newServer(alice)
  const note = await upload(alice, 'note.txt', 'text/plain', new TextEncoder().encode('no picture'))
  const phone = await upload(alice, 'a.heic', 'image/heic', picture('phone.heic'))
  for (const { id } of [note, phone]) {
    const avatar = await alice.put('/api/auth/avatar', { avatar_file_id: id })
    expect([avatar.status, avatar.body.code]).toEqual([422, 'picture_unreadable'])
    expect(avatar.body.title).toContain('choose a PNG, JPEG, WebP or GIF')
    const icon = await alice.put(`/api/servers/${server_id}`, { icon_file_id: id })
    expect([icon.status, icon.body.code]).toEqual([422, 'picture_unreadable'])
  }
  const moving = await upload(alice, 'a.webp', 'image/webp', picture('animated.webp'))
  expect((await alice.put('/api/auth/avatar', { avatar_file_id: moving.id })).status).toBe(200)
})

test('a webhook’s post keeps its text and any pictures, without location and maker', async () => {
  const alice = await person(await standard(), 'alice')
  const { channel_id } = await newServer(alice)
  const hook = await webhook(alice, channel_id)
  const pictures: [string, string, Uint8Array, string][] = [
    ['photo-with-place.jpg', 'image/jpg', picture('photo-with-place.jpg'), 'image/jpeg'],
    ['animated.webp', 'image/webp', picture('animated.webp'), 'image/webp'],
    ['phone.heic', 'image/heic', picture('phone.heic'), 'image/heic'],
    ['phone.mov', 'video/quicktime', picture('phone.mov'), 'video/quicktime'],
    ['cut.png', 'image/png', picture('photo-with-place.png').subarray(0, 60), 'application/octet-stream'],
  ]
  const form = new FormData()
  form.append('payload_json', JSON.stringify({ content: 'The gate opened' }))
  for (const [at, [name, type, bytes]] of pictures.entries())
    form.append(`files[${at}]`, new File([new Uint8Array(bytes)], name, { type }))
  expect((await post(alice, `${hook.url}?wait=true`, form)).status).toBe(200)
  const { content, files } = await newest(alice, channel_id)
  expect(content).toBe('The gate opened')
  expect(files.map((file: { content_type: string }) => file.content_type)).toEqual(
    pictures.map(([, , , storedType]) => storedType),
  )
  for (const { id, size, filename } of files) {
    const bytes = await (await download(alice, id)).bytes()
    expect([filename, size]).toEqual([filename, bytes.length])
    if (filename !== 'cut.png') expect([filename, secretsIn(bytes)]).toEqual([filename, []])
  }
})
