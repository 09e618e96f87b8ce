import type { Stage } from '../../features/access/model.ts'
import type { StageState } from '../../voice/model.ts'
import type { Lookup } from '../lookup.ts'
import { snowflake } from '../snowflake.ts'
import { discordTime } from './users.ts'

/** Only members see a stage: the only level that Discord still has. */
const GUILD_ONLY = 2

/** A running stage as Discord's stage instance. */
export const stageInstanceOf = (
  of: Lookup,
  { id, topic, started_at, channel_id, server_id }: Stage & { channel_id: number; server_id: number },
) => ({
  id: snowflake(id, Date.parse(started_at)),
  guild_id: of.id('server', server_id),
  channel_id: of.id('channel', channel_id),
  topic,
  privacy_level: GUILD_ONLY,
  discoverable_disabled: true,
  guild_scheduled_event_id: null,
})

/** Discord's fields of a voice state in a stage. As on Discord, an invited listener counts as let up and as asking. */
export const stageFieldsOf = ({ stage }: { stage?: StageState | undefined }) => {
  const since = stage?.raised_at ?? stage?.invited_at ?? null
  return {
    suppress: stage !== undefined && !stage.speaks && stage.invited_at === null,
    request_to_speak_timestamp: since && discordTime(since),
  }
}
