import { expect } from 'bun:test'
import type { Parley } from '../../src/parley.ts'
import { type Person, say } from './harness.ts'
import { begun } from './forums.ts'
import { passerBy, place } from './places.ts'

/** Everything that nobody without an account may read, in two versions. */
export interface Secrets {
  word: string
}

/** The public server of the tests: what is public is always the same. @param secrets everything else */
export async function publicScene(parley: Parley, { word }: Secrets) {
  const { sql } = parley.parts
  const people: Person[] = []
  for (const name of ['ann', 'ben', `${word} cyd`, `${word} dan`, `${word} eve`])
    people.push(await passerBy(parley, name))
  const [ann, ben, cyd, dan, fresh] = people as [Person, Person, Person, Person, Person]
  await sql`update users set public_name = true where id in (${ann.id}, ${ben.id})`
  const { server_id, channel_id } = await place(ann, ben, cyd, dan, fresh)
  await sql`update members set joined_at = now() - interval '9 days'`
  await ann.put(`/api/servers/${server_id}`, { public: true, description: 'All birds' })
  const make = async (body: object) => (await ann.post(`/api/servers/${server_id}/channels`, body)).body
  const forum = await make({ name: 'Birds & <b>owls</b>', type: 'forum', tags: [{ name: word }], guidelines: word })
  const open = await make({ name: 'open', type: 'text', topic: 'Talk' })
  const secret = await make({ name: `secret-${word}`, type: 'text', topic: word })
  await say(ann, open.id, `Before the switch ${word}`)
  for (const id of [forum.id, open.id]) await ann.put(`/api/channels/${id}`, { public: true })
  const hidden = await say(ann, secret.id, `Hidden ${word}`)
  await say(ann, channel_id, `In general ${word}`)
  const owl = await begun(ben, forum.id, 'Which owl?', 'It calls at **night**. </script><script>alert(1)</script>')
  await say(cyd, owl.id, `A tawny owl, <@${ben.id}> and <@${dan.id}>; see <#${secret.id}> and <#${open.id}>`)
  const answer = await say(
    ann,
    owl.id,
    `https://birds.example/c/${secret.id}/${hidden.id} and https://owls.example/a?b=1&c`,
  )
  await ben.put(`/api/channels/${owl.id}`, { answer_message_id: answer.id })
  await begun(cyd, forum.id, 'A feather', 'Found by the lake:\n\n| bird | seen |\n| :-- | --: |\n| heron | **2** |')
  await privateMatters({ word }, { ann, ben, cyd }, { server_id, open_id: open.id, owl_id: owl.id })
  await say(dan, owl.id, `Held ${word}`)
  await say(fresh, owl.id, `Fresh ${word}`)
  await begun(fresh, forum.id, `Fresh post ${word}`)
  const spam = await begun(cyd, forum.id, `Hidden post ${word}`)
  await ann.put(`/api/channels/${spam.id}`, { hidden: true })
  const first = await say(ann, open.id, 'A heron')
  await reply(cyd, open.id, 'Where?', { reply_to_id: first.id })
  const heldMessage = await say(dan, open.id, `Held ${word}`)
  await reply(cyd, open.id, 'What?', { reply_to_id: heldMessage.id })
  await reply(ben, open.id, 'Look', { forward_message_id: hidden.id })
  await reply(ben, open.id, 'See', { forward_message_id: first.id })
  await ann.put(`/api/messages/${first.id}/reactions/${encodeURIComponent(word.length % 2 ? '👍' : '🎉')}/@me`)
  await sql`update members set held_back = 'quarantined' where user_id = ${dan.id}`
  await sql`update members set joined_at = now(), nickname = ${word} where user_id = ${fresh.id}`
  // The pages show times: those of both versions are the same.
  await sql`update messages set created_at = '2026-01-01'::timestamptz + id * interval '1 minute', edited_at = null`
  await sql`update users set updated_at = now() - interval '1 day'`
  await sql`update channels set created_at = '2026-01-01'::timestamptz + id * interval '1 minute'`
  await sql`update channels set public_since = '2026-01-01'::timestamptz + ${answer.id - 4} * interval '1 minute'
    where public_since is not null`
  return { server_id, forum, open, secret, owl, first, answer, ann, ben, cyd, dan, fresh, hidden }
}

/** Private content in and around the public server: as much of it in each version. */
async function privateMatters(
  { word }: Secrets,
  { ann, ben, cyd }: Record<'ann' | 'ben' | 'cyd', Person>,
  { server_id, open_id, owl_id }: { server_id: number; open_id: number; owl_id: number },
): Promise<void> {
  const far = await passerBy(ann.parley, `${word} far`)
  const away = await place(far, cyd)
  const post = async (who: Person, path: string, body: object) => {
    const { status, body: answer } = await who.post(path, body)
    expect([path, status < 300, answer?.code]).toEqual([path, true, undefined])
    return answer
  }
  await post(ann, `/api/servers/${server_id}/roles`, { name: word })
  await post(far, `/api/servers/${away.server_id}/channels`, { name: word, type: 'forum' })
  const hint = await say(cyd, away.channel_id, `Away ${word}`)
  await reply(cyd, open_id, 'From afar', { forward_message_id: hint.id })
  await say(cyd, open_id, `Ask <@${far.id}> in <#${away.channel_id}> and <@&${away.everyone}>: <:owl:${word.length}>`)
  await say(
    cyd,
    open_id,
    `https://birds.example/c/${away.channel_id}/${hint.id} [there](https://birds.example/c/${away.channel_id})`,
  )
  const poll = { question: 'Which *bird*?', answers: [{ text: 'Owl', emoji: '🦉' }, { text: 'Heron' }], hours: 1 }
  const { id } = await post(ben, `/api/channels/${open_id}/messages`, { content: '', poll })
  await cyd.put(`/api/messages/${id}/poll/votes`, { answer_ids: [1 + (word.length % 2)] })
  const note = await say(ann, owl_id, `Note ${word}`)
  await ann.put(`/api/messages/${note.id}/pin`, {})
  await ann.delete(`/api/messages/${note.id}`)
  const edited = await say(ann, owl_id, `Draft ${word}`)
  await ann.put(`/api/messages/${edited.id}`, { content: 'A second thought' })
}

/** Sends a message that refers to another one. */
async function reply(who: Person, channelId: number, content: string, reference: object): Promise<void> {
  const { status } = await who.post(`/api/channels/${channelId}/messages`, { content, ...reference })
  expect(status).toBe(201)
}

/** Everything that is reachable from the sitemap: by path, the status, the headers and the text. */
export async function crawl(parley: Parley, base: string) {
  const pages = new Map<string, { status: number; type: string; text: string; headers: Headers }>()
  const paths = ['/robots.txt', '/sitemap.xml']
  for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
    if (pages.has(path)) continue
    const answer = await fetch(parley.url + path, { redirect: 'manual' })
    const text = await answer.text()
    pages.set(path, {
      status: answer.status,
      type: answer.headers.get('content-type') ?? '',
      text,
      headers: answer.headers,
    })
    const found = [...text.matchAll(/(?:href|src|loc)(?:="|>)([^"<]+)/g)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&'),
    )
    for (const href of found) {
      const url = URL.parse(href, base + path)
      if (url?.origin === base && url.pathname !== '/') paths.push(url.pathname + url.search)
    }
  }
  return pages
}

/** A public server with a public forum and channel, whose members have been there for long. */
export async function publicPlace(owner: Person, ...others: Person[]) {
  const { server_id, channel_id, everyone } = await place(owner, ...others)
  await settle(owner.parley, server_id)
  const make = async (body: object) => (await owner.post(`/api/servers/${server_id}/channels`, body)).body
  const [forum, open] = [await make({ name: 'help', type: 'forum' }), await make({ name: 'open', type: 'text' })]
  await owner.put(`/api/servers/${server_id}`, { public: true })
  for (const { id } of [forum, open])
    expect((await owner.put(`/api/channels/${id}`, { public: true })).status).toBe(200)
  return { server_id, channel_id, everyone, forum_id: forum.id as number, open_id: open.id as number, make }
}
/** So that the members of a server are no new ones, and no account has just changed. */
export async function settle({ parts: { sql } }: Parley, server_id: number): Promise<void> {
  await sql`update members set joined_at = now() - interval '9 days' where server_id = ${server_id}`
  await sql`update users set updated_at = now() - interval '1 day'`
}
