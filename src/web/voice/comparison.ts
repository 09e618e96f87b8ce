import { gateway, state } from '../state/session.ts'
import { deviceStore, keepVerification, type Verification, verificationOf } from './device-store.ts'
import { publicKeyOf } from './sealing/device-key.ts'
import { pairNumber } from './sealing/numbers.ts'
import { currentCall, touchCall } from './shown-call.ts'

/** The numbers that two people compare. */
export interface Comparison {
  /** The keys of the other account's devices. */
  keys: string[]
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
  const keysOf = (id: number) => accounts.find(({ user_id }) => user_id === id)?.keys ?? []
  const keys = keysOf(userId)
  const sides = [
    { user_id: me, keys: pair ? [...keysOf(me), await publicKeyOf(pair)] : keysOf(me) },
    { user_id: userId, keys },
  ] as const
  const isWhole = sides.every((side) => side.keys.length > 0)
  const groups = isWhole ? await pairNumber(...sides) : undefined
  return { keys, groups, verification: await verificationOf(userId) }
}

/** Keeps that the numbers were the same. @param keys the other account's devices then; undefined: forgets it */
export async function verify(userId: number, keys: string[] | undefined): Promise<void> {
  await keepVerification(userId, keys && { at: new Date().toISOString(), keys })
  if (keys) currentCall.value?.sealing.verified(userId)
  touchCall()
}

/** True if an account has no other devices than those that the person has verified. */
export const isVerified = ({ keys, verification }: Comparison): boolean =>
  verification !== undefined && keys.every((key) => verification.keys.includes(key))
