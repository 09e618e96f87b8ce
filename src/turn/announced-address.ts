import { errorFields, type Log } from '../core/log.ts'
import type { Environment } from '../environment.ts'
import { mappedAddress } from './probe.ts'

/** RFC 8489 §18.6. */
const STUN_PORT = 3478

/**
 * The environment with the address by which the relay and the SFU are reached from outside: as configured, else as a
 * STUN server sees it where one is named, else left to what the interface has. It stops nobody from starting.
 */
export async function announce(environment: Environment, log: Log): Promise<Environment> {
  const { STUN_SERVER, TURN_ANNOUNCED_ADDRESS, SFU_ANNOUNCED_ADDRESS } = environment
  if (STUN_SERVER === undefined || (TURN_ANNOUNCED_ADDRESS.length > 0 && SFU_ANNOUNCED_ADDRESS)) return environment
  const [host = '', port] = STUN_SERVER.split(':')
  const found = await mappedAddress(host, port === undefined ? STUN_PORT : Number(port)).catch((error: unknown) =>
    log('warn', 'stun.failed', errorFields(error)),
  )
  log(found ? 'info' : 'warn', 'stun.asked', { server: STUN_SERVER, address: found ?? 'no answer' })
  if (!found) return environment
  return {
    ...environment,
    TURN_ANNOUNCED_ADDRESS: TURN_ANNOUNCED_ADDRESS.length > 0 ? TURN_ANNOUNCED_ADDRESS : [found],
    SFU_ANNOUNCED_ADDRESS: SFU_ANNOUNCED_ADDRESS ?? found,
  }
}
