import type { Sound } from '../../features/sounds/model.ts'
import type { Lookup } from '../lookup.ts'
import { userById } from './users.ts'

/** A sound of a server, which every client plays at its own volume. */
export const soundOf = (of: Lookup, { id, server_id, name, emoji, creator_id, created_at }: Sound) => ({
  sound_id: of.id('sound', id, created_at),
  guild_id: of.id('server', server_id),
  name,
  volume: 1,
  emoji_id: null,
  emoji_name: emoji,
  available: true,
  user: userById(of, creator_id),
})
