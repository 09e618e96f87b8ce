import { errorFields, type Log } from '../core/log.ts'
import type { Environment } from '../environment.ts'
import { mappedAddress } from './probe.ts'

/** RFC 8489 §18.6. */
const STUN_PORT = 3478

/**
 * Adds the public address of the TURN server and the SFU to the environment: the configured one, else the one seen by
 * STUN_SERVER. If that does not answer, both announce the interface's address. Never throws.
 */
export async function announce(environment: Environment, log: Log): Promise<Environment> {
  const { STUN_SERVER, TURN_ANNOUNCED_ADDRESS, SFU_ANNOUNCED_ADDRESS } = environment
  if (STUN_SERVER === undefined || (TURN_ANNOUNCED_ADDRESS.length > 0 && SFU_ANNOUNCED_ADDRESS)) return environment
  const [host = '', port] = STUN_SERVER.split(':')
  const address = await mappedAddress(host, port === undefined ? STUN_PORT : Number(port)).catch((error: unknown) =>
    log('warn', 'stun.failed', errorFields(error)),
  )
  log(address ? 'info' : 'warn', 'stun.asked', { server: STUN_SERVER, address: address ?? 'no answer' })
  if (!address) return environment
  return {
    ...environment,
    TURN_ANNOUNCED_ADDRESS: TURN_ANNOUNCED_ADDRESS.length > 0 ? TURN_ANNOUNCED_ADDRESS : [address],
    SFU_ANNOUNCED_ADDRESS: SFU_ANNOUNCED_ADDRESS ?? address,
  }
}
