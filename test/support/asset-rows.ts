import { expect } from 'bun:test'
import type { Parley } from '../../src/parley.ts'
import { call, type Person } from './harness.ts'
import { sound } from './ogg.ts'
import { png, upload } from './uploads.ts'

/** A sound of a server, a picture of one of its roles, and a profile with a banner of its owner. */
export async function fillAssets(owner: Person, serverId: number, roleId: number): Promise<void> {
  const { id: file_id } = await upload(owner, 'owl.ogg', 'audio/ogg', sound(1))
  expect((await owner.post(`/api/servers/${serverId}/sounds`, { name: 'Hoot', file_id })).status).toBe(201)
  const icon = await upload(owner, 'owl.png', 'image/png', await png(32, 32))
  expect((await owner.put(`/api/roles/${roleId}/icon`, { file_id: icon.id })).status).toBe(200)
  const sea = await upload(owner, 'sea.png', 'image/png', await png(60, 24))
  expect((await owner.put('/api/auth/banner', { file_id: sea.id })).status).toBe(200)
  expect((await owner.put('/api/auth/profile', { bio: 'Herons', pronouns: 'she/her' })).status).toBe(200)
}

/** Expects them to be there, with an emoji and a sticker. @param path of the server */
export async function expectAssets(parley: Parley, path: string, token: string): Promise<void> {
  const { url } = parley
  const list = async (name: string) => (await call(parley, 'GET', `${path}/${name}`, { token })).body
  for (const name of ['emoji', 'stickers']) {
    const [one] = await list(name)
    expect((await new Bun.Image(await (await fetch(url + one.url)).bytes()).metadata()).width).toBe(64)
  }
  const [hoot] = await list('sounds')
  expect(await (await fetch(url + hoot.url)).bytes()).toEqual(new Uint8Array(sound(1)))
  const icons = (await list('roles')).filter(({ icon_url }: { icon_url: string | null }) => icon_url !== null)
  expect(icons.length).toBe(1)
  expect((await fetch(url + icons[0].icon_url)).status).toBe(200)
  const { owner_id } = (await call(parley, 'GET', path, { token })).body
  const profile = (await call(parley, 'GET', `/api/users/${owner_id}/profile`, { token })).body
  expect(profile).toMatchObject({ bio: 'Herons', pronouns: 'she/her' })
  expect((await fetch(url + profile.banner_url)).status).toBe(200)
}

/** Makes, renames and deletes a sticker and a sound, and expects each act in the audit log. */
export async function logAssets(owner: Person, serverId: number): Promise<void> {
  const path = `/api/servers/${serverId}`
  for (const [kind, bytes, type, more] of [
    ['sticker', await png(64, 64), 'image/png', { alt: 'An otter waves' }],
    ['sound', sound(1), 'audio/ogg', {}],
  ] as const) {
    const { id: file_id } = await upload(owner, `owl.${type.slice(-3)}`, type, bytes)
    const { id } = (await owner.post(`${path}/${kind}s`, { name: 'Otter', file_id, ...more })).body
    expect((await owner.put(`/api/${kind}s/${id}`, { name: 'Heron' })).status).toBe(200)
    expect((await owner.delete(`/api/${kind}s/${id}`)).status).toBe(204)
  }
  const entries = (await owner.get(`${path}/audit-log?limit=6`)).body
  const acts = ['deleted', 'updated', 'created']
  expect(entries.map(({ action }: { action: string }) => action)).toEqual(
    ['sound', 'sticker'].flatMap((kind) => acts.map((act) => `${kind}.${act}`)),
  )
}

/** Makes a sticker and a sound, as an export of their maker shows them. */
export async function stickerAndSound(owner: Person, serverId: number): Promise<object> {
  const { id: otter } = await upload(owner, 'otter', 'image/png', await png(8, 8))
  const draft = { name: 'Otter', alt: 'An otter', file_id: otter }
  const sticker = await owner.post(`/api/servers/${serverId}/stickers`, draft)
  const { id: file_id } = await upload(owner, 'owl.ogg', 'audio/ogg', sound(1))
  const hoot = await owner.post(`/api/servers/${serverId}/sounds`, { name: 'Hoot', file_id })
  return { stickers: [sticker.body], sounds: [hoot.body] }
}
