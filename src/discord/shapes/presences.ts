import type { Status } from '../../features/status/model.ts'
import type { VoiceState } from '../../voice/model.ts'
import type { Lookup } from '../lookup.ts'
import { stageFieldsOf } from './stages.ts'

/** A member in a voice channel; null for the channel of one who has left. */
export const voiceStateOf = (of: Lookup, state: Omit<VoiceState, 'channel_id'> & { channel_id: number | null }) => ({
  channel_id: of.idOrNull('channel', state.channel_id),
  user_id: of.id('user', state.user.id),
  session_id: String(state.user.id),
  deaf: state.server_deaf,
  mute: state.server_mute,
  self_deaf: state.self_deaf,
  self_mute: state.self_mute,
  self_stream: state.sharing_screen,
  self_video: state.camera,
  ...stageFieldsOf(state),
})

/** A status as Discord writes it. */
export const presenceOf = (of: Lookup, userId: number, status: Status) => ({
  user: { id: of.id('user', userId) },
  status,
  activities: [],
  client_status: status === 'offline' ? {} : { web: status },
})
