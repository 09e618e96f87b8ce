import { z } from 'zod'
import { Time } from '../core/schema.ts'

/** An element of `RTCConfiguration.iceServers`. */
export const IceServer = z
  .object({ urls: z.array(z.string()), username: z.string().optional(), credential: z.string().optional() })
  .meta({ title: 'IceServer' })
export type IceServer = z.infer<typeof IceServer>

export const IceServers = z
  .object({
    ice_servers: z.array(IceServer).describe('as RTCPeerConnection takes them; empty when the relay is off'),
    expires_at: Time.describe('until when the credentials can be used to allocate'),
  })
  .meta({ title: 'IceServers' })
