import { afterAll, describe, expect, test } from 'bun:test'
import type { Parley } from '../../src/parley.ts'
import { ENCRYPTED_PEERS_MAX, KEY_PACKAGE_CHARACTERS_MAX } from '../../src/voice/encryption/model.ts'
import { GroupOrder } from '../../src/voice/encryption/group-order.ts'
import { boot, person, standard, stop } from '../support/harness.ts'
import { inCallBy, nodesOn } from '../support/installation.ts'
import { redisProgram, redisServer } from '../support/redis.ts'
import { inVoice, refusedWith, voiceServer } from '../support/voice-people.ts'

const parley: Parley = await boot({ CALLS_ENCRYPTION: 'preferred' })
afterAll(() => stop(parley))
const ENCRYPTS = { encrypts: true }
const data = Buffer.from('a message').toString('base64')

type Inside = Awaited<ReturnType<typeof inVoice>>
const mls = (one: Inside, message: object) => one.gateway.command('voice.mls', message)

/** People in an encrypted call, and one more member of its server. */
async function sealedCall(...names: string[]) {
  const people = await Promise.all(names.map((name) => person(parley, name)))
  const [owner, ...others] = people
  const plain = await person(parley, 'pat')
  const place = await voiceServer(owner!, ...others, plain)
  const inside: Inside[] = []
  for (const who of people) inside.push(await inVoice(who, place.channel_id, ENCRYPTS))
  const group = inside[0]!.seat.encryption!.group!
  const end = () => inside.forEach(({ gateway }) => gateway.close())
  return { ...place, inside: inside as [Inside, Inside, Inside], group, plain, end }
}
const keyPackage = (group: string) => ({ group, epoch: 0, kind: 'key_package', data })
const commit = (group: string, epoch: number, added: string[] = []) => ({
  group,
  epoch,
  kind: 'commit',
  data,
  welcome: data,
  added,
})

test('when a member joins who cannot encrypt, the others learn that the call is open before they see it', async () => {
  const { inside, channel_id, group, plain: pat, end } = await sealedCall('ann', 'ben')
  const [ann, ben] = inside
  expect([ann.seat.encryption, ben.seat.encryption]).toEqual([
    { state: 'sealed', group },
    { state: 'sealed', group },
  ])
  expect(ann.seat.user_id).toBe(ann.who.id)
  const plain = await inVoice(pat, channel_id)
  expect(plain.seat.encryption).toEqual({ state: 'open', group: null, reason: 'member' })
  await ann.gateway.next('voice.peer_joined', ({ d }) => d.voice_session_id === plain.id)
  const kinds = ann.gateway.frames.map(({ t }) => t)
  expect(kinds.indexOf('voice.encryption')).toBeLessThan(kinds.lastIndexOf('voice.peer_joined'))
  expect(kinds.indexOf('voice.encryption')).toBeGreaterThan(-1)
  const open = { channel_id, state: 'open', group: null, reason: 'member' }
  expect((await ben.gateway.next('voice.encryption')).d).toEqual(open)
  expect((await mls(ann, keyPackage(group))).d).toEqual({ accepted: false, founder: false })
  await plain.gateway.command('voice.leave')
  const { d } = await ben.gateway.next('voice.encryption', (frame) => frame.d.state === 'sealed')
  expect(d.group).not.toBe(group)
  plain.gateway.close()
  end()
})

test('a server that encrypts no call says so', async () => {
  const plain = await standard()
  const who = await person(plain, 'ann')
  const { channel_id } = await voiceServer(who)
  const inside = await inVoice(who, channel_id, ENCRYPTS)
  expect(inside.seat.encryption).toEqual({ state: 'off', group: null })
  inside.gateway.close()
})

test('the first member founds the group; packages go to leaves, commits to others, welcomes to the added', async () => {
  const { inside, group, end } = await sealedCall('ann', 'ben', 'cid')
  const [ann, ben, cid] = inside
  expect((await mls(ann, keyPackage(group))).d).toEqual({ accepted: true, founder: true })
  expect((await mls(ben, keyPackage(group))).d).toEqual({ accepted: true, founder: false })
  expect((await ann.gateway.next('voice.mls')).d).toEqual({ group, epoch: 0, kind: 'key_package', from: ben.id, data })
  expect((await mls(ann, commit(group, 0, [ben.id]))).d).toEqual({ accepted: true, founder: false })
  expect((await ben.gateway.next('voice.mls')).d).toEqual({ group, epoch: 1, kind: 'welcome', from: ann.id, data })
  await mls(cid, keyPackage(group))
  // Both commit: the first counts, and the other one receives it.
  const answers = await Promise.all([mls(ann, commit(group, 1, [cid.id])), mls(ben, commit(group, 1, [cid.id]))])
  expect(answers.map(({ d }) => d.accepted).toSorted()).toEqual([false, true])
  const [winner, loser] = answers[0].d.accepted ? [ann, ben] : [ben, ann]
  const { d } = await loser.gateway.next('voice.mls', (frame) => frame.d.kind === 'commit')
  expect(d).toEqual({ group, epoch: 1, kind: 'commit', from: winner.id, data })
  expect((await cid.gateway.next('voice.mls')).d.kind).toBe('welcome')
  expect(cid.gateway.of('voice.mls')).toHaveLength(1)
  end()
})

test('outsiders, waiting members and stale groups change nothing', async () => {
  const { inside, group, channel_id, end } = await sealedCall('ann', 'ben')
  const [ann, ben] = inside
  await mls(ann, keyPackage(group))
  const refused = { accepted: false, founder: false }
  expect((await mls(ben, commit(group, 0, [ben.id]))).d).toEqual(refused)
  expect((await mls(ann, commit('0'.repeat(32), 0))).d).toEqual(refused)
  expect((await mls(ann, commit(group, 7))).d).toEqual(refused)
  const mallory = await person(parley, 'mallory')
  const other = await voiceServer(mallory)
  const outside = await inVoice(mallory, other.channel_id, ENCRYPTS)
  expect((await mls(outside, keyPackage(group))).d).toEqual(refused)
  await outside.gateway.command('voice.leave')
  expect(await refusedWith(outside.gateway, 'voice.mls', keyPackage(group))).toBe('not_found')
  await Promise.all([ann, ben].map(({ gateway }) => gateway.settled()))
  expect([ann, ben].flatMap(({ gateway }) => gateway.of('voice.mls'))).toEqual([])
  expect(channel_id).not.toBe(other.channel_id)
  outside.gateway.close()
  end()
})

test('when nobody is left who could take a waiting member up, the group begins anew', async () => {
  const { inside, group, end } = await sealedCall('ann', 'ben')
  const [ann, ben] = inside
  await mls(ann, keyPackage(group))
  await mls(ben, keyPackage(group))
  await ann.gateway.command('voice.leave')
  const { d } = await ben.gateway.next('voice.encryption')
  expect([d.state, d.group === group]).toEqual(['sealed', false])
  expect((await mls(ben, keyPackage(d.group))).d).toEqual({ accepted: true, founder: true })
  end()
})

test('malformed messages are refused with their reason, and large ones are limited by bytes', async () => {
  const { inside, group, end } = await sealedCall('ann', 'ben')
  const [ann, ben] = inside
  await mls(ann, keyPackage(group))
  const long = 'A'.repeat(KEY_PACKAGE_CHARACTERS_MAX + 4)
  const bad = [
    {},
    { ...keyPackage(group), data: long },
    { ...keyPackage(group), data: 'not base64!' },
    { ...keyPackage(group), data: 7 },
    { ...keyPackage(group), kind: 'welcome' },
    { ...keyPackage(group), kind: 'proposal' },
    { ...keyPackage('x') },
    { ...keyPackage(group), epoch: -1 },
    { ...keyPackage(group), epoch: 1e300 },
    { ...keyPackage(group), more: 1 },
    commit(group, 0, ['x']),
    commit(
      group,
      0,
      Array.from({ length: ENCRYPTED_PEERS_MAX + 1 }, () => ben.id),
    ),
    { ...commit(group, 0), welcome: null },
  ]
  for (const message of bad) expect(await refusedWith(ann.gateway, 'voice.mls', message)).toBe('validation_failed')
  const large = { ...commit(group, 0), data: 'A'.repeat(52 * 1024), welcome: undefined }
  const answers = []
  for (let epoch = 0; epoch < 12; epoch++) answers.push(await mls(ann, { ...large, epoch }))
  expect(answers.filter(({ error }) => error?.code === 'rate_limited').length).toBeGreaterThan(0)
  // A refused commit did not count.
  const accepted = answers.filter(({ d }) => d?.accepted).length
  await ann.gateway.settled()
  expect((await mls(ann, commit(group, accepted + 1))).d?.accepted).not.toBe(true)
  end()
})

test('whatever is sent, only leaves commit, each epoch has one commit, and added members were waiting', () => {
  const ids = Array.from({ length: 6 }, (_, at) => `${at}`.repeat(32))
  for (let run = 0; run < 200; run++) {
    const order = new GroupOrder()
    const pick = () => ids[Math.floor(Math.random() * ids.length)]!
    const [waiting, leaves] = [new Set<string>(), new Set<string>()]
    for (let step = 0; step < 60; step++) {
      const [who, luck, before] = [pick(), Math.random(), order.epoch]
      if (luck < 0.4) {
        const recipients = order.enter(who)
        leaves.delete(who)
        if (recipients) waiting.add(who)
        else leaves.add(who)
        expect(recipients ?? []).not.toContain(who)
      } else if (luck < 0.55) {
        order.leave(who)
        leaves.delete(who)
        waiting.delete(who)
      } else {
        const commit = order.commit(who, before + Math.floor(Math.random() * 3) - 1, [pick(), pick()])
        if (commit) {
          expect(leaves.has(who)).toBe(true)
          expect(commit.welcomed.every((id) => waiting.delete(id))).toBe(true)
          expect(commit.followers.toSorted()).toEqual([...leaves].filter((id) => id !== who).toSorted())
          for (const id of commit.welcomed) leaves.add(id)
        }
        expect(order.epoch).toBe(before + (commit ? 1 : 0))
      }
      expect(order.isStuck).toBe(leaves.size === 0 && waiting.size > 0)
    }
  }
})

describe.if(redisProgram !== undefined)('encrypted calls over two nodes', async () => {
  const redis = await redisServer()
  const [one, two] = await nodesOn(redis, { CALLS_ENCRYPTION: 'preferred' })

  test('the owner of the room orders the commits of members on both nodes', async () => {
    const [ann, ben] = [await person(one, 'ann'), await person(one, 'ben')]
    const { channel_id } = await voiceServer(ann, ben)
    const a = await inCallBy(one, ann, channel_id, ENCRYPTS)
    const b = await inCallBy(two, ben, channel_id, ENCRYPTS)
    const group = a.seat.encryption!.group!
    expect(b.seat.encryption).toEqual({ state: 'sealed', group })
    await mls(a, keyPackage(group))
    await mls(b, keyPackage(group))
    await a.gateway.next('voice.mls', ({ d }) => d.from === b.id)
    expect((await mls(a, commit(group, 0, [b.id]))).d.accepted).toBe(true)
    expect((await b.gateway.next('voice.mls')).d.kind).toBe('welcome')
    const answers = await Promise.all([mls(a, commit(group, 1)), mls(b, commit(group, 1))])
    expect(answers.map(({ d }) => d.accepted).toSorted()).toEqual([false, true])
    for (const { gateway } of [a, b]) gateway.close()
  })
})
