import type { Events } from '../../core/events.ts'
import type { Lookup } from '../lookup.ts'
import { stageInstanceOf } from '../shapes/stages.ts'
import { type Dispatch, one, type Table } from './dispatch.ts'
import { INTENT } from './intents.ts'

const stage =
  (t: string) =>
  (of: Lookup, d: Events['stage.started']): Dispatch[] => {
    const instance = stageInstanceOf(of, d)
    return one(t, INTENT.guilds, instance.guild_id, instance)
  }

/** News of stages. */
export const stageNews: Table = {
  'stage.started': stage('STAGE_INSTANCE_CREATE'),
  'stage.updated': stage('STAGE_INSTANCE_UPDATE'),
  'stage.ended': stage('STAGE_INSTANCE_DELETE'),
}
