import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import type { Channel, Stage } from '../../features/access/model.ts'
import { newSocketData } from '../../gateway/socket.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { Unknown } from '../refusals.ts'
import { stageInstanceOf } from '../shapes/stages.ts'
import { parseBody } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { route } from './router.ts'

// Stages: their topics by Parley's own routes, and the parts of members by the commands of Parley's gateway.

/** The burst is what a socket of our own gateway may send in a minute. */
const ACTS: BucketPolicy = { name: 'discord-stage-acts', burst: 60, refillPerS: 1 }

const InstanceBody = z.object({ channel_id: z.string(), topic: z.string() })
const TopicBody = z.object({ topic: z.string().nullish() })
const StateBody = z.object({
  suppress: z.boolean().nullish(),
  /** Null lowers the hand. */
  request_to_speak_timestamp: z.string().nullable().optional(),
})

/** @throws Unknown for another channel than a stage that runs */
async function runningStage(call: Call, channel_id: number) {
  const { server_id, stage } = await call.own<Channel>('GET', `/api/channels/${channel_id}`)
  if (!stage || server_id === null) throw new Unknown('stage')
  return { ...stage, channel_id, server_id }
}

const show = (call: Call, stage: Awaited<ReturnType<typeof runningStage>>): Promise<object> =>
  call.resolve((of) => stageInstanceOf(of, stage))

const pathOf = (id: number): string => `/api/channels/${id}/stage`

async function start(call: Call): Promise<Reply> {
  const { channel_id, topic } = parseBody(InstanceBody, call.body)
  const id = await call.find('channel', channel_id)
  await call.own<Stage>('POST', pathOf(id), { topic })
  return show(call, await runningStage(call, id))
}

async function edit(call: Call): Promise<Reply> {
  const id = await call.id('channel')
  const { topic } = parseBody(TopicBody, call.body)
  await runningStage(call, id)
  if (typeof topic === 'string') await call.own<Stage>('PUT', pathOf(id), { topic })
  return show(call, await runningStage(call, id))
}

async function end(call: Call): Promise<Reply> {
  const id = await call.id('channel')
  await runningStage(call, id)
  await call.own('DELETE', pathOf(id))
  return undefined
}

/** A client without a socket: the commands of stages need only the account. */
async function actor(call: Call) {
  await call.tools.parts.limits.take(call.caller, ACTS, `user:${call.me.id}`)
  return newSocketData(call.me, undefined, call.caller.base)
}

/** The bot's own part: speaking, listening, and its hand. */
async function changeOwn(call: Call): Promise<Reply> {
  await call.id('server', 'guild')
  const { suppress, request_to_speak_timestamp: raisedAt } = parseBody(StateBody, call.body)
  const { voice } = call.tools
  const client = await actor(call)
  if (suppress === true) await voice['voice.step_down'](client, {})
  else if (suppress === false) await voice['voice.go_up'](client, {})
  // discord.py takes its hand down in the same request. A speaker has none up.
  if (raisedAt !== undefined && suppress !== false)
    await voice['voice.raise_hand'](client, { raised: raisedAt !== null })
  return undefined
}

/** Another member's part. */
async function changeOther(call: Call): Promise<Reply> {
  const target = { server_id: await call.id('server', 'guild'), user_id: await call.id('user', 'user', 'member') }
  const { suppress } = parseBody(StateBody, call.body)
  if (typeof suppress !== 'boolean') throw new Problem('forbidden', 'Only suppress can be changed')
  const client = await actor(call)
  await call.tools.voice[suppress ? 'voice.send_down' : 'voice.let_up'](client, target)
  return undefined
}

export const stageRoutes = [
  route('POST', '/stage-instances', 'channel', start),
  route('GET', '/stage-instances/:channel', 'stage', async (call) =>
    show(call, await runningStage(call, await call.id('channel'))),
  ),
  route('PATCH', '/stage-instances/:channel', 'stage', edit),
  route('DELETE', '/stage-instances/:channel', 'stage', end),
  route('PATCH', '/guilds/:guild/voice-states/@me', 'server', changeOwn),
  route('PATCH', '/guilds/:guild/voice-states/:user', 'member', changeOther),
]
