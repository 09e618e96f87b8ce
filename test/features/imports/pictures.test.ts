import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boot, person, stop } from '../../support/harness.ts'
import { exported, exportedChannel, imports } from '../../support/imports.ts'
import { picture, secretsIn } from '../../support/pictures.ts'
import { download } from '../../support/uploads.ts'

test('imported pictures contain no location or maker, and no message is lost over its picture', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-export-'))
  const typesByName: Record<string, string> = {
    'photo-with-place.jpg': 'image/jpeg',
    'photo-with-place.png': 'image/png',
    'animated.webp': 'image/webp',
    'phone.heic': 'image/heic',
    'phone.mp4': 'video/mp4',
    'cut.png': 'application/octet-stream',
  }
  for (const name of Object.keys(typesByName))
    writeFileSync(join(folder, name), name === 'cut.png' ? picture('deep.png').subarray(0, 60) : picture(name))
  const attachments = Object.keys(typesByName).map((fileName, at) => ({ id: `${at + 1}`, url: fileName, fileName }))
  const face = { id: '830000000000000001', name: 'ann', avatarUrl: 'photo-with-place.jpg' }
  const messages = [exported('860000000000000101', 'Look', { author: face, attachments })]
  writeFileSync(join(folder, 'general.json'), JSON.stringify(exportedChannel(messages)))

  const parley = await boot()
  const alice = await person(parley, 'alice')
  await imports(parley, folder, '--owner', alice.username)
  const [server] = (await alice.get('/api/servers')).body
  const channels = (await alice.get(`/api/servers/${server.id}/channels`)).body
  const { id } = channels.find(({ name }: { name: string }) => name === 'general')
  const [message] = (await alice.get(`/api/channels/${id}/messages`)).body
  expect(message.content).toBe('Look')
  const types = message.files.map(({ filename, content_type }: any) => [filename, content_type])
  expect(Object.fromEntries(types)).toEqual(typesByName)
  for (const file of [...message.files, { id: message.author.avatar_file_id, filename: 'face', size: undefined }]) {
    const bytes = await (await download(alice, file.id)).bytes()
    if (file.size !== undefined) expect([file.filename, bytes.length]).toEqual([file.filename, file.size])
    if (file.filename !== 'cut.png') expect([file.filename, secretsIn(bytes)]).toEqual([file.filename, []])
  }
  await stop(parley)
  rmSync(folder, { recursive: true })
})
