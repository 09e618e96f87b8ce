import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { Id } from '../../core/schema.ts'

export const pinEvents = {
  'pins.updated': durable(
    z.object({ server_id: Id, channel_id: Id }),
    (d) => `pins:${d.channel_id}`,
    'bots of the server that see the channel, after a message was pinned or unpinned there',
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof pinEvents> {}
}
