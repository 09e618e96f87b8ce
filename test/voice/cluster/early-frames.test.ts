import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Parley } from '../../../src/parley.ts'
import { type Person, person, stop, until } from '../../support/harness.ts'
import { by, inCallBy, nodesOn } from '../../support/installation.ts'
import { redisProgram, type RedisServer, redisServer } from '../../support/redis.ts'
import { connect, type Gateway } from '../../support/socket.ts'
import { joinVoice, MIC, voiceServer } from '../../support/voice-people.ts'

/** The accounts of the peers that a client shows which applies the answer, and then its events in order. */
function shownBy(
  gateway: Gateway,
  answer: { peers: { voice_session_id: string; user: { id: number } }[] },
  from: number,
) {
  const peers = new Map(answer.peers.map((peer) => [peer.voice_session_id, peer.user.id]))
  for (const { t, d } of gateway.frames.slice(from)) {
    if (t === 'voice.peer_joined') peers.set(d.voice_session_id, d.user.id)
    if (t === 'voice.peer_left') peers.delete(d.voice_session_id)
  }
  return [...peers.values()].toSorted((a, b) => a - b)
}

describe.if(redisProgram !== undefined)('frames of a call that Redis loses and its owner sends again', () => {
  let redis: RedisServer
  let [one, two] = [] as unknown as [Parley, Parley]
  beforeAll(async () => {
    redis = await redisServer()
    ;[one, two] = await nodesOn(redis)
  })
  afterAll(() => Promise.all([one, two].map(stop)))

  /** Holds the first node's frames, and its answers to joins, up until they are let through. */
  function holding() {
    const { nodes } = one.parts
    const send = nodes.send.bind(nodes)
    let queue: { text: string; pass: () => void }[] = []
    nodes.send = (to, kind, body) => {
      const text = JSON.stringify(body)
      const isHeld = kind === 'voice.frame' || (kind === 'voice.answer' && text.includes('"peers":'))
      if (isHeld) queue.push({ text, pass: () => send(to, kind, body) })
      else send(to, kind, body)
    }
    const isAnswer = ({ text }: { text: string }) => text.includes('"peers":')
    const through = (passes: typeof queue) => {
      queue = queue.filter((message) => !passes.includes(message))
      for (const { pass } of passes) pass()
    }
    return {
      hasAnswer: () => queue.some(isAnswer),
      /** The frames before the first one of somebody who leaves. */
      beginning() {
        const frames = queue.filter((message) => !isAnswer(message))
        through(
          frames.slice(
            0,
            frames.findIndex(({ text }) => text.includes('voice.peer_left')),
          ),
        )
      },
      answers: () => through(queue.filter(isAnswer)),
      end() {
        nodes.send = send
        through(queue)
      },
    }
  }

  /** Resolves when the second node has received everything that the first one has sent. */
  function received(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    two.parts.nodes.onMessage('probe of frames', () => resolve())
    one.parts.nodes.send(two.parts.nodes.id, 'probe of frames', null)
    return promise
  }

  test('a member who joins while they arrive is not shown somebody who has left', async () => {
    const names = ['alice', 'bob', 'carol', 'dave', 'erin']
    const people = await Promise.all(names.map((name) => person(one, name)))
    const [alice, bob, carol, dave, erin] = people as [Person, Person, Person, Person, Person]
    const { channel_id } = await voiceServer(alice, bob, carol, dave, erin)
    const a = await inCallBy(one, alice, channel_id)
    // Keeps the second node among those with members.
    const e = await inCallBy(two, erin, channel_id)
    const gateway = await connect(by(two, bob))
    await joinVoice(gateway, channel_id)
    await a.gateway.next('voice.peer_joined', ({ d }) => d.user.id === bob.id)

    const messages = holding()
    try {
      const c = await inCallBy(one, carol, channel_id)
      await c.gateway.command('voice.leave', {})
      await gateway.command('voice.leave', {})
      const from = gateway.frames.length
      const joining = gateway.command('voice.join', { channel_id, ...MIC })
      await until(async () => messages.hasAnswer())
      messages.beginning()
      await received()
      messages.answers()
      const { d: answer } = await joining
      messages.end()
      // Frames keep their order: after this one nothing is under way.
      const d = await inCallBy(one, dave, channel_id)
      await gateway.next('voice.peer_joined', (frame) => frame.d.user.id === dave.id)
      expect(shownBy(gateway, answer, from)).toEqual([alice.id, dave.id, erin.id].toSorted((x, y) => x - y))
      for (const live of [a, c, d, e]) live.gateway.close()
      gateway.close()
    } finally {
      messages.end()
    }
  })
})
