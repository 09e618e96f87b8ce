import { expect, test } from 'bun:test'
import { sequenceOf, wordsOf } from '../../../src/core/words.ts'
import { RULES } from '../../../src/features/search/document.ts'
import { questionOf, sequenceOfTerm } from '../../../src/features/search/query.ts'
import { newServer, type Person, standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { upload } from '../../support/uploads.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob] = (await passersBy(parley, 'alice', 'bob')) as [Person, Person]
const { server_id } = await newServer(alice, bob)
const newChannel = async (name: string) =>
  (await alice.post(`/api/servers/${server_id}/channels`, { name, type: 'text' })).body.id as number

/** The ids of the first page of results. */
async function foundIds(q: string, channelId: number): Promise<number[]> {
  const answer = await bob.get(`/api/search?channel_id=${channelId}&q=${encodeURIComponent(q)}`)
  expect([q, answer.status]).toEqual([q, 200])
  return answer.body.messages.map((message: { id: number }) => message.id)
}

/** Few words, so that many messages have the same ones in another order; and what stands between and around them. */
const WORDS = `a b river the 회의록 회의 회 의록
  日落 东京 京东 塔 ラーメン นกกระเต็น نهر النَّهر
  كتاب Straße STRASSE déjà deja naïve река Река
  ποταμός नदी 2026 ２０２６ 👍 👍🏽 👨‍👩‍👧 🇩🇪
  foo_bar o’clock don't e-mail C++ #tag +1a2 @me
  <3 &amp; :: 東京タワー한글mix`
  .split(/\s+/)
  .filter((word) => word !== '')
const BORDERS = " |  |, |. |\n|-|—|/||!| “|” |\u200b| (|) |'|…".split('|')

/** Numbers from 0 to max - 1 that are the same in each run. */
function numbers(seed: number): (max: number) => number {
  let state = seed
  return (max) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * max)
  }
}

test('phrases in all scripts find what a scan of all messages finds', async () => {
  const home = await newChannel('scripts')
  const upTo = numbers(43)
  const pick = (of: string[]) => of[upTo(of.length)] ?? ''
  const text = (words: number) =>
    Array.from(
      { length: words },
      (_, nth) => (nth === 0 ? '' : upTo(3) === 0 ? pick(BORDERS) : ' ') + pick(WORDS),
    ).join('')
  const contents = Array.from({ length: 1500 }, () => text(1 + upTo(9)))
  await sql`insert into messages (channel_id, author_id, content, created_at)
    select ${home}, ${alice.id}, content, now() - at * interval '1 minute'
    from unnest(${contents}::text[]) with ordinality made (content, at)`
  await sql`delete from search_progress`
  await parley.sweep()
  const messages = await sql<{ id: number; content: string }[]>`
    select id, content from messages where channel_id = ${home} order by created_at desc, id desc`
  const documents = messages.map(({ id, content }) => ({ id, terms: ` ${wordsOf(content).join(' ')} ` }))
  const counts = { found: 0, empty: 0 }
  /** Compares the first page with a scan for sequences of terms. */
  const compare = async (q: string, sequences: string[]) => {
    const expected = documents.filter(({ terms }) => sequences.every((each) => terms.includes(each)))
    expect([q, await foundIds(q, home)]).toEqual([q, expected.slice(0, 25).map(({ id }) => id)])
    if (expected.length === 0) counts.empty++
    else counts.found++
  }
  for (let n = 0; n < 250; n++) {
    // A part of a message, from any of its characters on, or words that perhaps nobody wrote.
    const letters = [...pick(contents)]
    const from = upTo(letters.length)
    const phrase = n % 3 === 0 ? text(2 + upTo(2)) : letters.slice(from, from + 2 + upTo(12)).join('')
    const typed = phrase.replaceAll('"', ' ')
    const { words, isOpen } = sequenceOf(typed)
    if (words.length > 0) await compare(`"${typed}"`, [` ${words.join(' ')}${isOpen ? '' : ' '}`])
  }
  expect(counts.found).toBeGreaterThan(50)
  expect(counts.empty).toBeGreaterThan(10)
  // As typed: words, a phrase, and the beginning of a word.
  for (let n = 0; n < 100; n++) {
    const phrase = n % 2 === 0 ? `"${pick(WORDS)} ${pick(WORDS)}" ` : `${pick(WORDS)} `
    const last = [...pick(WORDS)]
    const q = `${phrase.replaceAll('-', '')}${last
      .slice(0, 1 + upTo(last.length))
      .join('')
      .replaceAll('"', '')}`
    const question = questionOf(q)
    if (question && question.terms.length > 0)
      await compare(q, [...question.with, ...question.terms.map(sequenceOfTerm)])
  }
})

test('phrases match in names of files and threads and in descriptions, until these are gone', async () => {
  const home = await newChannel('names')
  const { id: file } = await upload(alice, 'Grey heron.txt', 'text/plain', new TextEncoder().encode('x'))
  expect((await alice.put(`/api/files/${file}`, { alt: 'Standing in shallow water' })).status).toBe(200)
  const sent = await alice.post(`/api/channels/${home}/messages`, { content: 'Look over there', file_ids: [file] })
  expect(sent.status).toBe(201)
  const { id } = sent.body
  const thread = await alice.post(`/api/channels/${home}/threads`, { name: 'Who looks over it', message_id: id })
  await parley.sweep()
  const phrases = ['"look over there"', '"grey heron txt"', '"in shallow water"', '"looks over it"']
  for (const q of phrases) expect([q, await foundIds(q, home)]).toEqual([q, [id]])
  for (const q of ['"there grey"', '"over it look"', '"water who"', '"over heron"'])
    expect([q, await foundIds(q, home)]).toEqual([q, []])
  expect((await alice.delete(`/api/channels/${thread.body.id}`)).status).toBe(204)
  expect(await foundIds('"looks over it"', home)).toEqual([])
  for (const q of phrases.slice(0, 3)) expect([q, await foundIds(q, home)]).toEqual([q, [id]])
})

test('phrases are looked up by pairs of words only while every document has its pairs', async () => {
  const home = await newChannel('upgrade')
  await sql`insert into messages (channel_id, author_id, content)
    select ${home}, ${alice.id}, 'A spotted crake ' || n from generate_series(1, 1200) n`
  await sql`delete from search_progress`
  await parley.sweep()
  const [progress] = await sql`select rules, whole_rules, below_id from search_progress`
  expect(progress).toEqual({ rules: RULES, whole_rules: RULES, below_id: null })
  const [first] = await sql<[{ id: number }]>`select min(id) as id from messages where channel_id = ${home}`
  // In the form of version 0.18.
  await sql`update search_documents d set terms = regexp_replace(terms, ' [+][0-9a-f]{3}(?= )', '', 'g')
    from messages m where m.id = d.message_id and m.channel_id = ${home}`
  expect(await foundIds('"crake 1"', home)).toEqual([])
  await sql`update search_progress set rules = 2, whole_rules = null`
  expect(await foundIds('"crake 1"', home)).toEqual([first.id])
  // The rebuild has begun, and not come to the first message.
  await sql`update search_progress set rules = ${RULES}, below_id = ${first.id + 600}`
  expect(await foundIds('"crake 1"', home)).toEqual([first.id])
  // An earlier version that runs as well sets its own rules, with the later ones remembered.
  await sql`update search_progress set rules = 2, whole_rules = ${RULES}, below_id = null`
  expect(await foundIds('"crake 1"', home)).toEqual([first.id])
  await parley.sweep()
  const [progressAfter] = await sql`select rules, whole_rules, below_id from search_progress`
  expect(progressAfter).toEqual(progress)
  const [{ count } = { count: -1 }] = await sql<{ count: number }[]>`
    select count(*)::int as count from search_documents where place_id = ${home} and terms !~ ' [+][0-9a-f]{3} '`
  expect(count).toBe(0)
  expect(await foundIds('"crake 1"', home)).toEqual([first.id])
})

test('a phrase of many words looks up few of them', () => {
  const question = questionOf(`"${Array.from({ length: 150 }, (_, nth) => nth % 7).join(' ')}"`)
  expect(question?.terms.length).toBeLessThanOrEqual(6)
  expect(question?.pairs.length).toBeLessThanOrEqual(4)
  expect(questionOf('"two words" and others')?.pairs).toHaveLength(1)
  expect(questionOf('no phrase -"but this"')?.pairs).toEqual([])
})
