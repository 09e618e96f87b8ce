import { gateway, state } from '../state/session.ts'
import { acceptLogs, deviceStore, keepVerification, type Verification, verificationOf } from './device-store.ts'
import { publicKeyOf } from './sealing/device-key.ts'
import { type AccountDevices, readLogs } from './sealing/device-logs.ts'
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
  /** The logs of both accounts' devices, as the server shows them. */
  logs: AccountDevices[]
  /** The account whose log does not continue the one that this device remembers; undefined if both do. */
  forked: 'own' | 'other' | undefined
  /** True if the server does not show the other account's devices, because no place is shared any more. */
  isUnshared: boolean
}

/** Reads the devices of this account and another one, and what they make. */
export async function compareWith(userId: number): Promise<Comparison> {
  const me = state.me()
  const pair = await deviceStore.own()
  // The other side has to see this device too.
  if (pair) await deviceStore.register()
  const devices = await readLogs((accounts) => gateway.command('voice.device_logs', { accounts }), deviceStore.logs, [
    me,
    userId,
  ])
  const [mine, theirs] = [devices.get(me), devices.get(userId)]
  // A server that hides this device makes another number.
  const own = mine && { ...mine, keys: deviceKeysIn(pair ? [...mine.keys, await publicKeyOf(pair)] : mine.keys) }
  const isWhole = own && theirs && own.keys.length > 0 && theirs.keys.length > 0
  return {
    keys: theirs?.keys ?? [],
    ownCount: own?.keys.length ?? 0,
    groups: isWhole ? await pairNumber(own, theirs) : undefined,
    verification: await verificationOf(userId),
    logs: [...devices.values()],
    forked: theirs?.isForked && !theirs.isGone ? 'other' : mine?.isForked ? 'own' : undefined,
    isUnshared: !theirs || theirs.isGone === true,
  }
}

/** Keeps that the numbers were the same. @param comparison what was shown then; undefined: forgets it */
export async function verify(userId: number, comparison: Comparison | undefined): Promise<void> {
  await keepVerification(userId, comparison && { at: new Date().toISOString(), keys: comparison.keys })
  // Both sides have seen the same logs, whatever this device remembered. Logs without a fork are remembered already,
  // perhaps longer by now.
  if (comparison) await acceptLogs(comparison.logs.filter(({ isForked }) => isForked))
  currentCall.value?.sealing.verified(userId, comparison?.keys)
  touchCall()
}

/** True if an account has no other devices than those that the person has verified, and no log has another past. */
export const isVerified = ({ keys, verification, forked, isUnshared }: Comparison): boolean =>
  forked === undefined &&
  !isUnshared &&
  verification !== undefined &&
  keys.every((key) => verification.keys.includes(key))
