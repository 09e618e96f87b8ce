import type { Events } from '../../core/events.ts'
import type { HandlerContext, Handlers } from './event-handlers.ts'

type Row = Events['channel.own_overwrite_updated']

const keepOwn = ({ state }: Pick<HandlerContext, 'state'>, { channel_id, allow, deny }: Row): unknown =>
  allow + deny > 0 ? state.ownOverwrites.set(channel_id, { allow, deny }) : state.ownOverwrites.delete(channel_id)

export const overwriteHandlers = (context: HandlerContext): Handlers => ({
  'channel.permissions_updated': ({ id, overwrites }) => {
    const { state, touch } = context
    if (overwrites === null) state.overwrites.delete(id)
    else if (state.overwrites.has(id)) state.overwrites.set(id, overwrites)
    touch('shell')
  },
  'channel.own_overwrite_updated': (row) => {
    // `ready` has said more.
    if (context.isReplay) return
    keepOwn(context, row)
    context.touch('shell')
  },
})

/** Stores the overwrites for the account itself of a snapshot. */
export const ownOverwritesOfSnapshot = (
  context: Pick<HandlerContext, 'state'>,
  rows: Events['server.snapshot']['own_overwrites'],
): void => rows?.forEach((row) => keepOwn(context, row))

/** Replaces the overwrites for the account itself; servers of earlier versions have none. */
export function ownOverwritesOfReady({ state }: HandlerContext, { own_overwrites }: Partial<Events['ready']>): void {
  state.ownOverwrites.clear()
  for (const row of own_overwrites ?? []) keepOwn({ state }, row)
}
