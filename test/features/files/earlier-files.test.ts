import { expect, test } from 'bun:test'
import { boot, person, stop, until } from '../../support/harness.ts'
import { databaseOf, done } from '../../support/operator.ts'
import { picture, secretsIn } from '../../support/pictures.ts'
import { SPAWN_MS } from '../../support/spawned.ts'
import { announce, download, put } from '../../support/uploads.ts'

test(
  'the operator removes locations from earlier files, but not from those whose uploaders keep metadata',
  async () => {
    const parley = await boot()
    const { sql } = parley.parts
    const alice = await person(parley, 'alice')
    const recorded = async (name: string) => {
      const bytes = picture(name)
      const announced = await announce(alice, name, 'application/octet-stream', bytes.length)
      await put(announced, bytes)
      return (await alice.post('/api/files', { key: announced.key, keep_metadata: true })).body
    }
    const names = ['photo-with-place.jpg', 'phone.mp4', 'moving.gif']
    const earlier = await Promise.all(names.map(recorded))
    const expected = await recorded('photo-with-place.jpg')
    // As earlier versions recorded them.
    await sql`update files set keeps_metadata = false where id <> ${expected.id}`
    const bytesOf = async (id: number) => (await download(alice, id)).bytes()
    const address = (await alice.get(`/api/files/${earlier[0].id}/download-url`)).body.download_url

    expect(await done(databaseOf(parley), 'clean-files', 'all', '--yes')).toEqual({ listed: earlier.length })
    await until(async () => {
      await parley.sweep()
      return (await sql`select 1 from file_cleanings`).length === 0
    })
    let stored = expected.size
    for (const { id } of earlier) {
      const bytes = await bytesOf(id)
      expect([secretsIn(bytes), (await alice.get(`/api/files/${id}`)).body.size]).toEqual([[], bytes.length])
      stored += bytes.length
    }
    expect(secretsIn(await bytesOf(expected.id))).not.toEqual([])
    expect(await sql`select stored_bytes from users where id = ${alice.id}`).toMatchObject([{ stored_bytes: stored }])
    // An issued URL works until it expires.
    expect((await fetch(address)).status).toBe(200)
    await sql`update object_outbox set due_at = now()`
    await parley.sweep()
    expect((await fetch(address)).status).toBe(404)
    await stop(parley)
  },
  SPAWN_MS,
)
