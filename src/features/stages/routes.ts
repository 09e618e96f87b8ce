import { z } from 'zod'
import { BODY_CODES, PLACE_CODES } from '../../core/errors.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { Stage } from '../access/model.ts'
import { guarded, type VisibleChannel } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { demandStage, editStage, endStage, startStage } from './change.ts'
import { StageDraft } from './model.ts'

const tags = ['Stages']
const ChannelPath = z.object({ channel_id: DecimalId })
/** Low, because each is announced to everybody who sees the stage. */
const CHANGES: BucketPolicy = { name: 'stages', burst: 10, refillPerS: 0.1 }
const MODERATORS = 'needs mute_members, move_members and manage_channels there'

/** Judges a topic by the rules of the server. @throws Problem `automod_blocked`, and those of `demandStage` */
async function judged({ judge }: Parts, channel: VisibleChannel, author_id: number, topic: string) {
  demandStage(channel)
  if (judge.isIdle()) return undefined
  return judge.demand({ author_id, place: { channel_id: channel.id }, texts: [topic] })
}

/** Stages start, change their topics and end. Their calls are in src/voice. */
export const stageRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .post(
      '/api/channels/:channel_id/stage',
      async ({ channel, me, caller, body: { topic }, status }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        const settle = await judged(parts, channel, me.id, topic)
        const stage = await parts.write((sql, emit) =>
          startStage({ sql, emit, channel_id: channel.id, actor_id: me.id }, topic),
        )
        await settle?.()
        return status(201, stage)
      },
      {
        params: ChannelPath,
        body: StageDraft,
        channel: 'none',
        detail: { summary: `Start a stage with a topic; ${MODERATORS}`, tags },
        response: answers({ 201: Stage }, 'stage_running', 'automod_blocked', ...PLACE_CODES, ...BODY_CODES),
      },
    )
    .put(
      '/api/channels/:channel_id/stage',
      async ({ channel, me, caller, body: { topic } }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        const settle = await judged(parts, channel, me.id, topic)
        const stage = await parts.write((sql, emit) =>
          editStage({ sql, emit, channel_id: channel.id, actor_id: me.id }, topic),
        )
        await settle?.()
        return stage
      },
      {
        params: ChannelPath,
        body: StageDraft,
        channel: 'none',
        detail: { summary: `Change the topic of a running stage; ${MODERATORS}`, tags },
        response: answers({ 200: Stage }, 'automod_blocked', ...PLACE_CODES, ...BODY_CODES),
      },
    )
    .delete(
      '/api/channels/:channel_id/stage',
      async ({ channel, me, caller, status }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        await parts.write((sql, emit) => endStage({ sql, emit, channel_id: channel.id, actor_id: me.id }))
        return status(204, undefined)
      },
      {
        params: ChannelPath,
        channel: 'none',
        detail: { summary: `End a running stage; ${MODERATORS}`, tags },
        response: answers({ 204: Nothing }, ...PLACE_CODES),
      },
    )
