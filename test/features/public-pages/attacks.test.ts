import { expect, test } from 'bun:test'
import { parseAtomFeed } from 'feedsmith'
import { ThreadKeeper } from '../../../src/features/threads/thread-keeper.ts'
import { boot, PASSWORD, type Person, say } from '../../support/harness.ts'
import { begun } from '../../support/forums.ts'
import { endDay, guest, guestInvite } from '../../support/guests.ts'
import { deleteAccountOf, peopleWithPassword } from '../../support/people.ts'
import { passerBy, place } from '../../support/places.ts'
import { publicPlace, settle } from '../../support/public-pages.ts'
import { structuredData } from '../../support/structured-data.ts'
import { png, upload } from '../../support/uploads.ts'

const parley = await boot()
const BASE = parley.url
const { sql } = parley.parts
const [alice, bob, mallory] = (await Promise.all(
  ['alice', 'bob', 'mallory'].map((name) => passerBy(parley, name)),
)) as [Person, Person, Person]
await sql`update users set public_name = true where id in (${alice.id}, ${bob.id})`

const get = (path: string, init: RequestInit = {}) => fetch(parley.url + path, { redirect: 'manual', ...init })
/** The status of a page, or its text; redirects are followed. */
async function read(path: string): Promise<string> {
  const answer = await fetch(parley.url + path)
  const text = await answer.text()
  return answer.status === 200 ? text : String(answer.status)
}

test('private pages answer like pages that do not exist', async () => {
  const { server_id, channel_id, forum_id, open_id } = await publicPlace(alice, bob, mallory)
  const other = await place(bob, alice)
  const thread = (await alice.post(`/api/channels/${channel_id}/threads`, { name: 'Owls' })).body
  const spam = await begun(bob, forum_id, 'Spam')
  await alice.put(`/api/channels/${spam.id}`, { hidden: true })
  await sql`update members set held_back = 'quarantined' where server_id = ${server_id} and user_id = ${mallory.id}`
  const secret = await upload(alice, 'owl.png', 'image/png', await png(40, 30))
  await alice.post(`/api/channels/${channel_id}/messages`, { content: 'x', file_ids: [secret.id] })
  const nothing = [`/p/999999`, `/p/${server_id}/999999`, `/p/${server_id}/${forum_id}/999999`, '/p/pictures/999999']
  const paths = [
    `/p/${other.server_id}`,
    `/p/${other.server_id}/${other.channel_id}`,
    `/p/${other.server_id}/${open_id}`,
    `/p/${server_id}/${channel_id}`,
    `/p/${server_id}/${channel_id}/${thread.id}`,
    `/p/${server_id}/${open_id}/${thread.id}`,
    `/p/${server_id}/${forum_id}/${spam.id}`,
    `/p/${server_id}/${forum_id}/${spam.id}-spam.json`,
    `/p/${server_id}/${spam.id}`,
    `/p/${server_id}/${channel_id}/feed.atom`,
    `/p/${other.server_id}/sitemap.xml`,
    `/p/${server_id}/${open_id}?after=999999999`,
    `/p/pictures/${secret.id}`,
    '/p/pictures/x',
    '/p/..%2f..%2fapi',
  ]
  const seen = new Set<string>()
  for (const path of [...nothing, ...paths]) {
    const answer = await get(path)
    const { request_id: _, instance: __, ...body } = (await answer.json()) as Record<string, unknown>
    const headers = [...answer.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')
    seen.add(JSON.stringify([answer.status, body, headers]))
  }
  expect(seen.size).toBe(1)
  expect([...seen][0]).toStartWith('[404,')
})

test('a page is read only: other methods are refused, HEAD answers like GET, and no cookie is set', async () => {
  const { server_id, open_id } = await publicPlace(alice)
  await say(alice, open_id, 'A heron')
  const path = `/p/${server_id}-birdwatchers/${open_id}-open`
  for (const method of ['POST', 'PUT', 'DELETE']) expect([404, 405]).toContain((await get(path, { method })).status)
  const [whole, head] = [await get(path), await get(path, { method: 'HEAD' })]
  expect([head.status, await head.text()]).toEqual([200, ''])
  for (const name of ['etag', 'content-type', 'content-security-policy', 'cache-control', 'x-content-type-options'])
    expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)])
  expect(whole.headers.get('set-cookie')).toBeNull()
  // A token changes nothing, and is not asked for.
  const signedIn = await get(path, { headers: { authorization: `Bearer ${mallory.token}` } })
  expect(await signedIn.text()).toBe(await whole.text())
})

test('no text, name or address of a hostile member becomes markup', async () => {
  const { server_id, forum_id, open_id, make } = await publicPlace(alice, mallory)
  const evil = `"'><img src=x onerror=alert(1)><script>alert(1)</script><!--]]>&lt;\u202e`
  const texts = [
    evil,
    `[${evil}](https://evil.example/"onmouseover="alert(1))`,
    '[x](javascript:alert(1)) <javascript:alert(1)> [y](data:text/html,x) https://evil.example/"><script>',
    `\`\`\`html\n${evil}\n\`\`\` \`${evil}\` ||${evil}|| # ${evil}`,
    `> ${evil}\n- ${evil}\n1. ${evil}`,
    `<@${alice.id}"> <#${open_id}"> <:${'x'.repeat(20)}:1> <t:99999999999999:R> <t:-99999999999:F>`,
    `https://${'a'.repeat(60)}.example/${'%'.repeat(300)} https://[::1]:99999/ http://evil.example:80\\@evil.example/`,
    `${BASE}/c/${open_id}"><b>`,
  ]
  const named = await make({ name: `<b>${'n'.repeat(20)}</b>`, type: 'text', topic: evil })
  await alice.put(`/api/channels/${named.id}`, { public: true })
  for (const text of texts) await say(mallory, open_id, text)
  const post = await begun(mallory, forum_id, `</title></script>${evil}`.slice(0, 100), texts.join('\n\n'))
  await say(mallory, post.id, texts.join(' '))
  const file = await upload(mallory, `"><svg onload=alert(1)>.png`, 'image/png', await png(20, 20))
  const text = await upload(mallory, `<script>x.txt`, 'text/plain', new TextEncoder().encode('x'))
  await mallory.post(`/api/channels/${post.id}/messages`, { content: '', file_ids: [file.id, text.id] })
  const allowed = new Set(
    (
      'html head meta title link style script body header nav main a h1 h2 p ul ol li article strong em u s span ' +
      'time div blockquote pre code br img'
    ).split(' '),
  )
  for (const path of [
    `/p/${server_id}`,
    `/p/${server_id}/${open_id}`,
    `/p/${server_id}/${named.id}`,
    `/p/${server_id}/${forum_id}`,
    `/p/${server_id}/${forum_id}/${post.id}`,
  ]) {
    const html = await read(path)
    const faults: string[] = []
    const scripts: string[] = []
    await new HTMLRewriter()
      .on('*', {
        element(element) {
          if (!allowed.has(element.tagName)) faults.push(element.tagName)
          for (const [name, value] of element.attributes) {
            if (name.startsWith('on')) faults.push(`${element.tagName} ${name}`)
            const isAddress = (name === 'href' || name === 'src') && !/^(?:https?:\/\/|\/p\/)/.test(value)
            if (isAddress) faults.push(`${name}=${value}`)
          }
          if (element.tagName === 'script') scripts.push(element.getAttribute('type') ?? '')
          const rel = element.getAttribute('rel')
          const href = element.getAttribute('href') ?? ''
          if (element.tagName === 'a' && !href.startsWith('/p/') && rel !== 'nofollow ugc noopener') faults.push(href)
        },
        comments: () => void faults.push('a comment'),
      })
      .transform(new Response(html))
      .text()
    expect([path, faults]).toEqual([path, []])
    expect(scripts.every((type) => type === 'application/ld+json')).toBe(true)
    structuredData(html)
  }
  for (const id of [open_id, forum_id]) {
    const feed = parseAtomFeed(await read(`/p/${server_id}/${id}/feed.atom`))
    expect(feed.entries?.length).toBeGreaterThan(0)
  }
  expect(await read(`/p/${server_id}/sitemap.xml`)).toContain(`${post.id}`)
})

test('a name of any characters has an address, and does not hide the others', async () => {
  const { server_id, forum_id } = await publicPlace(alice)
  for (const name of [`a${'𠀀'.repeat(90)}`, '🦉', 'ﾟ'.repeat(50), '‮abc', 'İ'.repeat(60), '.json', 'feed.atom'])
    await sql`insert into channels (server_id, parent_id, name, type, position, owner_id, active_at,
      archive_after_seconds, tag_ids, pinned, votes, hidden)
      values (${server_id}, ${forum_id}, ${name}, 'thread', 0, ${alice.id}, now(), 3600, '{}', false, 0, false)`
  await sql`with m as (insert into messages (channel_id, author_id, content)
      select id, ${alice.id}, 'An owl' from channels where parent_id = ${forum_id} returning id, channel_id)
    update channels c set first_message_id = m.id from m where m.channel_id = c.id`
  const sitemap = await read(`/p/${server_id}/sitemap.xml`)
  const paths = [...sitemap.matchAll(/<loc>https?:\/\/[^/]+([^<]+)</g)].map(([, path = '']) => path)
  expect(paths.length).toBe(10)
  for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 200])
})

test('a cached page shows nothing that was withdrawn before the request, wherever that happened', async () => {
  const [carol] = (await peopleWithPassword(parley, 'carol')) as [Person]
  const away = await publicPlace(bob, alice)
  const { server_id, forum_id, open_id } = await publicPlace(alice, bob, carol)
  await sql`update users set public_name = true where id = ${carol.id}`
  const lapwing = await say(bob, away.open_id, 'A lapwing')
  const forwarded = await alice.post(`/api/channels/${open_id}/messages`, {
    content: '',
    forward_message_id: lapwing.id,
  })
  expect(forwarded.status).toBe(201)
  await say(carol, open_id, 'By carol')
  await say(alice, open_id, `In <#${away.open_id}>`)
  const post = await begun(bob, forum_id, 'Plover')
  await bob.put(`/api/channels/${away.open_id}`, { name: 'marsh' })
  await settle(parley, server_id)
  const path = `/p/${server_id}/${open_id}`
  const first = await read(path)
  for (const word of ['A lapwing', '#marsh', 'carol']) expect(first).toContain(word)
  const list = `/p/${server_id}/${forum_id}`
  expect(await read(list)).toContain('Plover')
  await alice.put(`/api/channels/${post.id}`, { hidden: true })
  expect(await read(list)).not.toContain('Plover')
  expect(await read(`${list}/${post.id}`)).toBe('404')
  await new ThreadKeeper(parley.parts).run()
  expect(await read(list)).not.toContain('Plover')
  // The switch of another server.
  await bob.put(`/api/channels/${away.open_id}`, { public: false })
  const second = await read(path)
  for (const word of ['A lapwing', '#marsh']) expect(second).not.toContain(word)
  await bob.put(`/api/channels/${away.open_id}`, { public: true, public_older: true })
  // A page may lack for a minute, or until its server changes, something that only adds to it.
  await say(alice, open_id, 'Look')
  expect(await read(path)).toContain('A lapwing')
  await bob.delete(`/api/messages/${lapwing.id}`)
  expect(await read(path)).not.toContain('A lapwing')
  await carol.put('/api/auth/privacy', { public_name: false })
  const unnamed = await read(path)
  expect(unnamed).not.toContain('<strong>carol')
  expect(unnamed).toContain('By carol')
  await carol.put('/api/auth/privacy', { public_name: true })
  // A member who left is still named, until the account is erased.
  expect((await carol.delete(`/api/servers/${server_id}/members/@me`)).status).toBe(204)
  await sql`update messages set created_at = created_at - interval '2 days' where author_id = ${carol.id}`
  await sql`update channels set public_since = public_since - interval '3 days' where id = ${open_id}`
  await sql`update users set updated_at = now() - interval '1 day'`
  await say(alice, open_id, 'Good bye')
  expect(await read(path)).toContain('<strong>carol')
  expect((await deleteAccountOf(carol)).status).toBe(204)
  expect(await read(path)).not.toContain('<strong>carol')
})

test('words of a person who joined only to write them are not public, even when they have left', async () => {
  const { server_id, open_id } = await publicPlace(alice)
  const spammer = await passerBy(parley, 'spammer')
  await sql`insert into members ${sql({ server_id, user_id: spammer.id })}`
  await say(spammer, open_id, 'Cheap feathers')
  await say(alice, open_id, 'A heron')
  const path = `/p/${server_id}/${open_id}`
  expect(await read(path)).not.toContain('Cheap')
  expect((await spammer.delete(`/api/servers/${server_id}/members/@me`)).status).toBe(204)
  expect(await read(path)).not.toContain('Cheap')
  expect(await read(`${path}/feed.atom`)).not.toContain('Cheap')
  // A quarantine outlasts leaving.
  await sql`update messages set created_at = now() - interval '2 days' where author_id = ${spammer.id}`
  await sql`update channels set public_since = now() - interval '3 days' where id = ${open_id}`
  await sql`insert into quarantines ${sql({ server_id, user_id: spammer.id })}`
  await say(alice, open_id, 'Two herons')
  expect(await read(path)).not.toContain('Cheap')
  await sql`delete from quarantines where user_id = ${spammer.id}`
  await say(alice, open_id, 'Three herons')
  expect(await read(path)).toContain('Cheap')
})

test('words of a guest are never public, also when it was kicked long ago; those of one that stayed are', async () => {
  const { server_id, open_id, forum_id } = await publicPlace(alice)
  const code = await guestInvite(alice, server_id)
  const [heron, gull, auk] = [await guest(parley, code), await guest(parley, code), await guest(parley, code)]
  for (const who of [heron, gull, auk]) await say(who, open_id, `Feathers of ${who.id}.`)
  const own = await begun(alice, forum_id, 'Owls')
  await say(heron, own.id, `Feathers of ${heron.id}.`)
  const claim = { username: `kept${auk.id}`, email: `kept${auk.id}@example.org`, password: PASSWORD }
  expect((await auk.post('/api/auth/register/claim', claim)).status).toBe(200)
  const age = async () => {
    await settle(parley, server_id)
    await sql`update messages set created_at = now() - interval '2 days' where author_id in ${sql([
      heron.id,
      gull.id,
      auk.id,
    ])}`
    await sql`update channels set public_since = now() - interval '3 days' where id in (${open_id}, ${forum_id})`
    await say(alice, open_id, 'A heron')
  }
  const publicOnes = async () => {
    const places = [`/p/${server_id}/${open_id}`, `/p/${server_id}/${forum_id}/${own.id}`]
    const forms = [...places, ...places.map((place) => `${place}.json`), `${places[0]}/feed.atom`]
    const texts = (await Promise.all(forms.map(read))).join()
    return [heron, gull, auk].map(({ id }) => texts.includes(`Feathers of ${id}.`))
  }
  await age()
  expect(await publicOnes()).toEqual([false, false, true])
  expect((await alice.delete(`/api/servers/${server_id}/members/${heron.id}`)).status).toBe(204)
  await endDay(gull)
  await age()
  expect(await publicOnes()).toEqual([false, false, true])
  expect(
    await sql`select 1 from messages m where author_id in (${heron.id}, ${gull.id}) and is_public_message(m)`,
  ).toHaveLength(0)
})

test('messages written while a server was not public stay out when it is public again', async () => {
  const { server_id, open_id } = await publicPlace(alice)
  await say(alice, open_id, 'In the open')
  const path = `/p/${server_id}/${open_id}`
  await alice.put(`/api/channels/${open_id}`, { public_older: true })
  expect(await read(path)).toContain('In the open')
  await alice.put(`/api/servers/${server_id}`, { public: false })
  await say(alice, open_id, 'Among us')
  expect(await read(path)).toBe('404')
  await alice.put(`/api/servers/${server_id}`, { public: true })
  expect(await read(path)).not.toContain('Among us')
  expect((await alice.get(`/api/channels/${open_id}`)).body).toMatchObject({ public_older: false })
})

test('mentions name members only, and links to private places are not spelt out, in no form of a page', async () => {
  const { server_id, channel_id, open_id } = await publicPlace(alice)
  const secret = await say(alice, channel_id, 'Among us')
  await say(
    alice,
    open_id,
    `<@${bob.id}> ${BASE}/c/${channel_id}/${secret.id} [there](${BASE}/c/${channel_id}) <#${channel_id}>`,
  )
  for (const form of ['', '.json', '/feed.atom']) {
    const text = await read(`/p/${server_id}/${open_id}${form}`)
    expect([form, text.includes('A member (')]).toEqual([form, true])
    expect([form, /bob|Among us|general|there/.test(text.replaceAll('Birdwatchers', ''))]).toEqual([form, false])
    expect([form, text.includes(`/c/${channel_id}`)]).toEqual([form, false])
  }
})

test('a spoiler stays hidden in lists, feeds and data, however long the text before its end is', async () => {
  const { server_id, forum_id } = await publicPlace(alice)
  await begun(alice, forum_id, 'Ending', `The end: ||the owl did it ${'x'.repeat(400)}||`)
  for (const form of ['', '.json', '/feed.atom'])
    expect(await read(`/p/${server_id}/${forum_id}${form}`)).not.toContain('the owl did it')
})

test('a picture has a public address as long as its message is public, and is indexed like pages', async () => {
  const { server_id, open_id } = await publicPlace(alice)
  const files = [
    await upload(alice, 'heron.png', 'image/png', await png(40, 30)),
    await upload(alice, 'SPOILER_owl.png', 'image/png', await png(40, 30)),
  ]
  const file_ids = files.map(({ id }) => id)
  const sent = await alice.post(`/api/channels/${open_id}/messages`, { content: '', file_ids })
  expect(sent.status).toBe(201)
  const [path, spoiler] = file_ids.map((id) => `/p/pictures/${id}`) as [string, string]
  const html = await read(`/p/${server_id}/${open_id}`)
  expect([html.includes(path), html.includes(spoiler), html.includes('SPOILER_owl.png')]).toEqual([true, false, true])
  const thumbnail = await get(path)
  expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect(thumbnail.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  expect(thumbnail.headers.get('x-robots-tag')).toBeNull()
  const again = await get(path, { headers: { 'if-none-match': thumbnail.headers.get('etag') ?? '' } })
  expect([again.status, (await again.bytes()).length]).toEqual([304, 0])
  expect((await get(spoiler)).status).toBe(404)
  await alice.put(`/api/servers/${server_id}`, { public_indexed: false })
  expect((await get(path)).headers.get('x-robots-tag')).toBe('noindex, nofollow')
  const page = await fetch(`${parley.url}/p/${server_id}/${open_id}`)
  expect(page.headers.get('x-robots-tag')).toBe('noindex, nofollow')
  expect(await read('/sitemap.xml')).not.toContain(`/p/${server_id}-`)
  await alice.delete(`/api/messages/${sent.body.id}`)
  expect((await get(path, { headers: { 'if-none-match': thumbnail.headers.get('etag') ?? '' } })).status).toBe(404)
})
