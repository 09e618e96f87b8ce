import { signal } from '@preact/signals'

/** Time of the account's last message that slowmode counts, by channel, ms since the epoch. */
const marks = signal<ReadonlyMap<number, number>>(new Map())

export const slowmodeMark = (channelId: number): number => marks.value.get(channelId) ?? 0

/** Notes when the account wrote in a channel; an earlier time changes nothing. */
export function markSlowmode(channelId: number, at: number): void {
  if (at > (marks.peek().get(channelId) ?? 0)) marks.value = new Map(marks.peek()).set(channelId, at)
}
