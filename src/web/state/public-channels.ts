import type { Channel } from '../../features/access/model.ts'
import type { State } from './state.ts'

/** True if everybody may read the channel, or the thread's channel, without an account. */
export const isPublic = (
  { servers, channels }: Pick<State, 'servers' | 'channels'>,
  { type, server_id, parent_id, public_since }: Channel,
): boolean =>
  servers.get(server_id ?? 0)?.public === true &&
  (type === 'thread' ? channels.get(parent_id ?? 0)?.public_since : public_since) !== undefined
