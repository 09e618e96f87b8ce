import { gateway, state } from '../state/session.ts'
import { deviceStore, keepVerification, type Verification, verificationOf } from './device-store.ts'
import { publicKeyOf } from './sealing/device-key.ts'
import { deviceKeysIn, pairNumber } from './sealing/numbers.ts'
import { currentCall, touchCall } from './shown-call.ts'

/** The numbers that two people compare. */
export interface Comparison {
  /** The keys of the other account's devices. */
  keys: string[]
  /** Devices of this account. A number that is too high shows that the server has made one up for both sides. */
  ownCount: number
  /** Six groups of five digits; undefined while one of the two has no device for encrypted calls. */
  groups: string[] | undefined
  verification: Verification | undefined
}

/** Reads the devices of this account and another one, and what they make. */
export async function compareWith(userId: number): Promise<Comparison> {
  const me = state.me()
  const pair = await deviceStore.own()
  // The other side has to see this device too.
  if (pair) await deviceStore.register()
  const { accounts } = await gateway.command('voice.device_keys', { user_ids: [me, userId] })
  const keysOf = (id: number) => deviceKeysIn(accounts.find(({ user_id }) => user_id === id)?.keys ?? [])
  const keys = keysOf(userId)
  const ownKeys = deviceKeysIn(pair ? [...keysOf(me), await publicKeyOf(pair)] : keysOf(me))
  const isWhole = ownKeys.length > 0 && keys.length > 0
  const groups = isWhole ? await pairNumber({ user_id: me, keys: ownKeys }, { user_id: userId, keys }) : undefined
  return { keys, ownCount: ownKeys.length, groups, verification: await verificationOf(userId) }
}

/** Keeps that the numbers were the same. @param keys the other account's devices then; undefined: forgets it */
export async function verify(userId: number, keys: string[] | undefined): Promise<void> {
  await keepVerification(userId, keys && { at: new Date().toISOString(), keys })
  currentCall.value?.sealing.verified(userId, keys)
  touchCall()
}

/** True if an account has no other devices than those that the person has verified. */
export const isVerified = ({ keys, verification }: Comparison): boolean =>
  verification !== undefined && keys.every((key) => verification.keys.includes(key))
