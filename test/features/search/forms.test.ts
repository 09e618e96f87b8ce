import { expect, test } from 'bun:test'
import { type Person, newServer, say, standard, until } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { upload } from '../../support/uploads.ts'
import { RULES } from '../../../src/features/search/document.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
const { server_id } = await newServer(alice, bob)

/** The contents of the search results, newest first. */
async function finds(q: string, more: Record<string, string | number> = {}): Promise<string[]> {
  await parley.sweep()
  const query = Object.entries({ server_id, q, ...more }).map(([name, value]) => [name, String(value)])
  const answer = await bob.get(`/api/search?${new URLSearchParams(query)}`)
  expect(answer.status).toBe(200)
  return answer.body.messages.map((message: { content: string }) => message.content)
}
const newChannel = async (name: string) =>
  (await alice.post(`/api/servers/${server_id}/channels`, { name, type: 'text' })).body.id as number

let messageCount = 0
const forms: [content: string, found: string[], missed: string[]][] = [
  // Hangul inside words, and phrases across word boundaries.
  ['한국어검색엔진을 만들었습니다', ['검색', '검색엔진', '엔진', '한국어', '어검', '만들었', '색'], ['색검', '엔검']],
  ['서울 날씨가 좋네요', ['"서울 날씨"', '날씨', '"서울 날씨가 좋네요"', '서울'], ['"날씨 서울"', '"서 날씨"']],
  ['ㅋㅋㅋ 진짜', ['ㅋㅋ', '진짜'], []],
  ['我的手机iPhone坏了、真的', ['手机iphone', '坏了、真的', '"手机iPhone坏了"', 'iphone'], ['手iphone']],
  // Letters that keyboards for Arabic, Persian and Urdu exchange.
  ['كتاب علي في المدرسة', ['کتاب', 'علی', 'على', 'فی', 'المدرسه', 'كتاب'], ['کتب']],
  ['این کتاب را می‌خواهم', ['كتاب', 'ايـن', 'میخواهم', 'مي‌خواهم', 'خواهم کتاب'.split(' ')[1] ?? ''], ['خواهم']],
  ['أحمد وإبراهيم وآمنة ٱلله', ['احمد', 'وابراهيم', 'وامنه', 'الله', 'وآمنة'], ['حمد']],
  ['مسؤول الشؤون والهيئة', ['مسوول', 'والهييه', 'الشؤون'], []],
  ['السـلام عَلَيْكُم', ['السلام', 'عليكم', 'علیکم'], []],
  ['رقم ١٢٣٤ و ۵۶۷۸', ['1234', '۱۲۳۴', '5678', '٥٦٧٨'], ['4321']],
  ['यह २०२६ है', ['2026', '२०२६'], []],
  // Invisible characters.
  ['Donau\u00addampf\u00adschiff', ['donaudampfschiff', 'Donau\u00addampf'], []],
  ['un\u200bbreak\u2060able \u202btext\u202c', ['unbreakable', 'text', '"unbreakable text"'], []],
  ['ක්\u200dරිකට් නව', ['ක්රිකට්', 'ක්\u200dරිකට්'], []],
  // Forms with nukta: one code point, two, or none where people omit it.
  [
    'लड़का और क़लम',
    ['लड\u093cका', 'लड\u095cका'.replace('ड\u095c', '\u095c'), 'क\u093cलम', '\u0958लम', 'कलम', 'लडका'],
    [],
  ],
  ['বাড়ি ও সময়', ['বা\u09dcি', 'বাড\u09bcি', 'সম\u09df', 'সময\u09bc'], ['বাডি']],
  ['ਸ਼ੇਰ', ['\u0a36ੇਰ', 'ਸ\u0a3cੇਰ'], []],
  // Letters that other keyboards lack.
  ['İstanbul ISPARTA ığdır', ['istanbul', 'isparta', 'igdir', 'ISTANBUL'], []],
  ['Ｆｕｌｌ ｗｉｄｔｈ １２', ['full', 'width', '12'], []],
  ['family 👨‍👩‍👧 and ❤️', ['👨‍👩‍👧', '❤'], ['👧']],
]
test.each(forms)('%s is found in any spelling of its letters', async (content, found, missed) => {
  const home = await newChannel(`forms-${++messageCount}`)
  await say(alice, home, content)
  for (const q of found) expect([q, await finds(q, { channel_id: home })]).toEqual([q, [content]])
  for (const q of missed) expect([q, await finds(q, { channel_id: home })]).toEqual([q, []])
})

test('a message is found by the names of its files and their parts', async () => {
  const home = await newChannel('files')
  const names = ['QuarterlyReport2026_final-v2.PDF', 'Résumé José.docx', '한국어보고서.hwp', 'IMG20260105.heic']
  for (const name of names) {
    const { id } = await upload(alice, name, 'application/octet-stream', new TextEncoder().encode('x'))
    const sent = await alice.post(`/api/channels/${home}/messages`, { content: name.slice(0, 1), file_ids: [id] })
    expect(sent.status).toBe(201)
  }
  const found: Record<string, string> = {
    'QuarterlyReport2026_final-v2.pdf': 'Q',
    quarterly: 'Q',
    'report 2026': 'Q',
    'final-v2': 'Q',
    '"v2 pdf"': 'Q',
    resume: 'R',
    'jose docx': 'R',
    보고서: '한',
    '2026 pdf': 'Q',
    img: 'I',
    '20260105': 'I',
  }
  for (const [q, content] of Object.entries(found)) expect([q, await finds(q)]).toEqual([q, [content]])
  expect(await finds('"Q quarterlyreport2026"')).toEqual([])
  expect(await finds('quarterly', { has: 'file' })).toEqual(['Q'])
})

test('a thread is found by its name: at its message, or else at the first in it, until its deletion', async () => {
  const home = await newChannel('threads')
  const { id: message_id } = await say(alice, home, 'Who saw it?')
  const path = `/api/channels/${home}/threads`
  const { id: at } = (await alice.post(path, { name: 'Wallcreepers', message_id })).body
  const { id: free } = (await alice.post(path, { name: 'Lammergeier sightings' })).body
  await say(alice, at, 'I did')
  expect(await finds('wallcreepers')).toEqual(['Who saw it?'])
  expect(await finds('lammergeier')).toEqual([])
  const first = await say(alice, free, 'Over the ridge')
  await say(bob, free, 'Twice')
  expect(await finds('lammergeier')).toEqual(['Over the ridge'])
  expect(await finds('"lammergeier sightings"', { channel_id: free })).toEqual(['Over the ridge'])
  expect((await alice.put(`/api/channels/${free}`, { name: 'Bearded vultures' })).status).toBe(200)
  // Changes of threads are published after a second.
  await until(async () => (await finds('vultures')).length === 1)
  expect(await finds('lammergeier')).toEqual([])
  expect((await alice.delete(`/api/messages/${first.id}`)).status).toBe(204)
  expect(await finds('vultures')).toEqual(['Twice'])
  expect((await alice.delete(`/api/channels/${at}`)).status).toBe(204)
  expect(await finds('wallcreepers')).toEqual([])
  expect(await finds('who saw')).toEqual(['Who saw it?'])
})

test('documents of earlier rules are found until the job has made them again', async () => {
  const home = await newChannel('earlier')
  await sql`insert into messages (channel_id, author_id, content)
    select ${home}, ${alice.id}, '물총새관찰 ' || n from generate_series(1, 1200) n`
  await sql`delete from search_progress`
  expect(await finds('물총새', { channel_id: home })).toHaveLength(25)
  // In the form of version 0.14.
  await sql`update search_documents d set terms = ' ' || m.content || ' ' from messages m
    where m.id = d.message_id and m.channel_id = ${home}`
  await sql`update search_progress set rules = 1, below_id = null`
  const count = async (q: string) => {
    const answer = await bob.get(`/api/search?channel_id=${home}&q=${encodeURIComponent(q)}`)
    return answer.body.messages.length
  }
  expect(await count('물총새관찰')).toBe(0)
  expect(await count('"1200"')).toBe(1)
  await parley.sweep()
  expect(await count('관찰')).toBe(25)
  expect(await count('"1"')).toBe(1)
  const [progress] = await sql`select rules, below_id from search_progress`
  expect(progress).toEqual({ rules: RULES, below_id: null })
  const [remaining] =
    await sql`select count(*)::int as left from search_documents d join messages m on m.id = d.message_id
    where m.channel_id = ${home} and position(' 관찰 ' in d.terms) = 0`
  expect(remaining).toEqual({ left: 0 })
})
