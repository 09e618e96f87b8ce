import { expect, test } from 'bun:test'
import { parseAtomFeed } from 'feedsmith'
import { HtmlValidate } from 'html-validate'
import { permissions } from '../../../src/core/permissions.ts'
import { parseAddress, segment, slugOf } from '../../../src/features/public-pages/address.ts'
import { boot } from '../../support/harness.ts'
import { passerBy } from '../../support/places.ts'
import { crawl, publicPlace, publicScene } from '../../support/public-pages.ts'
import { structuredData } from '../../support/structured-data.ts'
import { post, webhook } from '../../support/webhooks.ts'

const BASE = 'https://birds.example'
const parley = await boot({ PUBLIC_URL: BASE })
const scene = await publicScene(parley, { word: 'zebra' })
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(parley.url + path, { redirect: 'manual', headers })
const pathTo = async (...ids: number[]) => {
  const answer = await get(`/p/${ids.join('/')}`)
  return answer.headers.get('location') ?? `/p/${ids.join('/')}`
}

test('an address is made of ids and slugs, and read by its ids', () => {
  expect(slugOf('Birds & <b>owls</b>')).toBe('birds-b-owls-b')
  expect(slugOf('Ночная сова'.repeat(9)).length).toBeLessThanOrEqual(60)
  expect(segment(7, '🦉')).toBe('7')
  expect(parseAddress('/p/1-a/2/3-x.json')).toEqual({ server_id: 1, channel_id: 2, thread_id: 3, form: 'json' })
  expect(parseAddress('/p/1/2/feed.atom')).toMatchObject({ channel_id: 2, form: 'atom' })
  for (const path of ['/p/', '/p/a', '/p/1/2/3/4', '/p/1/b', '/p/sitemap.xml', '/p/1/feed.atom', '/p/-1'])
    expect(parseAddress(path)).toBeUndefined()
})

test('a post is read without an account, at an address whose id decides', async () => {
  const { server_id, forum, owl, answer } = scene
  const moved = await get(`/p/${server_id}-x/${forum.id}/${owl.id}-other`)
  expect(moved.status).toBe(301)
  const path = moved.headers.get('location') ?? ''
  expect(path).toBe(`/p/${server_id}-birdwatchers/${forum.id}-birds-b-owls-b/${owl.id}-which-owl`)
  const answered = await get(path)
  const text = await answered.text()
  expect(answered.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answered.headers.get('content-security-policy')).toContain("script-src 'none'")
  expect(answered.headers.get('cache-control')).toBe('no-cache')
  const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? ''
  const styleHash = new Bun.CryptoHasher('sha256').update(style).digest('base64')
  expect(answered.headers.get('content-security-policy')).toContain(`style-src 'sha256-${styleHash}'`)
  expect(text).toContain('It calls at <strong>night</strong>. &lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(text.match(/<script/g)).toEqual(['<script'])
  expect(text).toContain(
    'a message that is not public and <a href="https://owls.example/a?b=1&amp;c" rel="nofollow ugc noopener">',
  )
  expect(text).toContain('@ben')
  expect(text).toContain('#not public')
  expect(text).toContain('A member (A)')
  const data = structuredData(text)
  if (data?.['@type'] !== 'QAPage') throw new Error('not a page of a question')
  expect(data.mainEntity.acceptedAnswer.url).toEndWith(`#m${answer.id}`)
  expect(data.mainEntity.answerCount).toBe(3)
  const again = await get(path, { 'if-none-match': answered.headers.get('etag') ?? '' })
  expect([again.status, await again.text()]).toEqual([304, ''])
  const json = await (await get(`${path}.json`)).json()
  expect(json.messages.map(({ author }: { author: string }) => author)).toEqual(['ben', 'A member (A)', 'ann', 'ann'])
})

test('a table keeps its heads, rows and sides', async () => {
  const { forum, server_id } = scene
  const list = await (await get(await pathTo(server_id, forum.id))).text()
  const [, path = ''] = /href="([^"]+-a-feather)"/.exec(list) ?? []
  const text = (await (await get(path)).text()).replace(/\s*\n\s*/g, '')
  expect(text).toContain('<th scope="col" class="left">bird</th><th scope="col" class="right">seen</th>')
  expect(text).toContain('<td class="left">heron</td><td class="right"><strong>2</strong></td>')
})

test('found pages are valid HTML, feeds are read by a library, and no link needs an account', async () => {
  const validator = new HtmlValidate({
    extends: ['html-validate:standard'],
    rules: {
      'no-trailing-whitespace': 'off',
      'no-inline-style': 'off',
      'long-title': 'off',
      'require-csp-nonce': 'off',
      'require-sri': 'off',
      'text-content': 'off',
      'no-implicit-button-type': 'off',
      'doctype-style': 'off',
      'attribute-boolean-style': 'off',
    },
  })
  const pages = await crawl(parley, BASE)
  const [types, found] = [new Set<string>(), new Set<string>()]
  for (const [path, { status, type, text, headers }] of pages) {
    expect([path, status]).toEqual([path, 200])
    expect([path, /^\/(?:p\/|robots\.txt$|sitemap\.xml$)/.test(path)]).toEqual([path, true])
    expect(headers.get('set-cookie')).toBeNull()
    types.add(type)
    if (type.startsWith('text/html')) {
      const { valid, results } = await validator.validateString(text)
      expect([
        path,
        valid,
        results.flatMap(({ messages }) => messages.map((one) => `${one.ruleId} ${one.line} ${one.message}`)),
      ]).toEqual([path, true, []])
      const data = structuredData(text)
      if (data) found.add(data['@type'])
    }
    if (type.startsWith('application/atom')) {
      const feed = parseAtomFeed(text)
      expect(feed.entries?.length).toBeGreaterThan(0)
      for (const entry of feed.entries ?? []) expect([entry.id, entry.updated, entry.title].every(Boolean)).toBe(true)
    }
    if (type === 'application/json') expect(JSON.parse(text).url).toStartWith(BASE)
  }
  expect([...found].toSorted()).toEqual(['DiscussionForumPosting', 'QAPage'])
  expect([...types].toSorted()).toEqual([
    'application/atom+xml; charset=utf-8',
    'application/json',
    'application/xml; charset=utf-8',
    'text/html; charset=utf-8',
    'text/plain; charset=utf-8',
  ])
})

/** Headers that do not change with each request. */
const stable = (headers: Headers | undefined) =>
  [...(headers ?? [])].filter(([name]) => name !== 'date' && name !== 'x-request-id')

test('nothing private is on any page, and two databases that differ only in it have equal pages', async () => {
  const other = await boot({ PUBLIC_URL: BASE })
  await publicScene(other, { word: 'gnu' })
  const [pages, others] = [await crawl(parley, BASE), await crawl(other, BASE)]
  expect([...pages.keys()].length).toBeGreaterThan(8)
  for (const [path, { status, text, headers }] of pages) {
    expect([path, status]).toEqual([path, 200])
    expect([path, text.includes('zebra'), text.includes('cyd')]).toEqual([path, false, false])
    expect([path, others.get(path)?.text]).toEqual([path, text])
    expect([path, stable(others.get(path)?.headers)]).toEqual([path, stable(headers)])
  }
  expect([...others.keys()]).toEqual([...pages.keys()])
})

test('a page ends with what makes it public: the switch, the permission of everyone, the message', async () => {
  const { server_id, open, ann, first } = scene
  const path = await pathTo(server_id, open.id)
  const text = async () => {
    const answer = await get(path)
    return answer.status === 200 ? answer.text() : String(answer.status)
  }
  expect(await text()).toContain('<blockquote><p>ann: A heron</p></blockquote>')
  expect((await text()).match(/<p>a message that is not public<\/p>/g)?.length).toBe(3)
  expect(await text()).toContain('<blockquote><p>A heron</p></blockquote>')
  await ann.delete(`/api/messages/${first.id}`)
  expect(await text()).not.toContain('A heron')
  const everyone = (await ann.get(`/api/servers/${server_id}/roles`)).body.find((role: any) => role.is_everyone).id
  const overwrite = (deny: number) => ann.put(`/api/channels/${open.id}/permissions/${everyone}`, { allow: 0, deny })
  await overwrite(permissions('read_history'))
  expect(await text()).toBe('404')
  await overwrite(0)
  expect(await text()).toContain('Where?')
  await ann.put(`/api/channels/${open.id}`, { public: false })
  expect(await text()).toBe('404')
  await ann.put(`/api/channels/${open.id}`, { public: true })
  expect(await text()).not.toContain('Where?')
  await ann.put(`/api/channels/${open.id}`, { public_older: true })
  expect(await text()).toContain('Where?')
  await ann.put(`/api/servers/${server_id}`, { public: false })
  expect(await text()).toBe('404')
})

test('a poll and a card of a webhook are read with their texts, and neither votes nor previews of links', async () => {
  const eve = await passerBy(parley, 'eve')
  const { server_id, open_id } = await publicPlace(eve)
  const poll = { question: 'Which *bird*?', answers: [{ text: 'Owl', emoji: '🦉' }, { text: 'Heron' }], hours: 1 }
  await eve.post(`/api/channels/${open_id}/messages`, { content: '', poll })
  const { url } = await webhook(eve, open_id)
  const embeds = [
    { title: 'Owl <seen>', url: 'https://owls.example/1', description: 'By the **lake**', color: '#112233' },
    { fields: [{ name: 'Count', value: '<#404>', inline: false }], footer: { text: 'Sunday' } },
  ]
  expect(await post(eve, url, { content: '', embeds })).toMatchObject({ status: 204 })
  const path = await pathTo(server_id, open_id)
  const text = await (await get(path)).text()
  expect(text).toContain('<strong>Which <em>bird</em>?</strong>')
  for (const part of [
    '🦉 Owl',
    'Heron',
    '>Owl &lt;seen&gt;</a>',
    'By the <strong>lake</strong>',
    '#not public',
    'Sunday',
  ])
    expect(text).toContain(part)
  const { messages } = await (await get(`${path}.json`)).json()
  expect(messages.at(-1).cards).toEqual(['Owl <seen>', 'By the lake', 'Count #not public', 'Sunday'])
  expect(JSON.stringify(messages)).not.toContain('voter')
})
