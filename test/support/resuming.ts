import type { Person } from './harness.ts'
import { connect, type Frame, type Gateway, newestS } from './socket.ts'

/** Connects and disconnects. @returns the `s` to resume from */
export async function goOffline(who: Person): Promise<number> {
  const live = await connect(who)
  live.close()
  await live.closed
  return newestS(live)
}

export const resume = (who: Person, s: number): Promise<Gateway> => connect(who, `&s=${s}`)
export const replayed = (live: Gateway): Frame[] => live.frames.filter((frame) => frame.s !== undefined)
export const isResumed = (live: Gateway): boolean => live.frames[0]?.d.resumed
