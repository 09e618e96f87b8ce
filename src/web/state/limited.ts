import { common, GUEST_PERMISSIONS, HELD_BACK_PERMISSIONS, TIMED_OUT_PERMISSIONS } from '../../core/permissions.ts'

interface Standing {
  isGuest: boolean
  held_back: string | null
  timed_out_until: string | null
}

/** The permissions that being a guest, a timeout, or being held back leave to a member; as permissions_of in SQL. */
export function limited(all: number, { isGuest, held_back, timed_out_until }: Standing): number {
  const sum = isGuest ? common(all, GUEST_PERMISSIONS) : all
  if (held_back !== null) return common(sum, HELD_BACK_PERMISSIONS)
  return timed_out_until === null ? sum : common(sum, TIMED_OUT_PERMISSIONS)
}
