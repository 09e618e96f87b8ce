import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { Id, line } from '../../core/schema.ts'
import { Stage } from '../access/model.ts'

const TOPIC_MAX = 120

/** The topic of a stage. */
export const StageDraft = z
  .strictObject({ topic: line(TOPIC_MAX).meta({ example: 'Owls at night' }) })
  .meta({ title: 'StageDraft', example: { topic: 'Owls at night' } })

const Changed = Stage.extend({ channel_id: Id, server_id: Id })
const key = (d: { channel_id: number }) => `stage:${d.channel_id}`
const to = 'members who see the stage'

export const stageEvents = {
  'stage.started': durable(Changed, key, to),
  'stage.updated': durable(Changed, key, to),
  'stage.ended': durable(Changed, key, to),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof stageEvents> {}
}
