import { expect, test } from 'bun:test'
import { Branches } from '../../../src/voice/sfu/branches.ts'
import type { Elsewhere, LinkedBranch, Receiver } from '../../../src/voice/sfu/receiving.ts'
import { until } from '../../support/until.ts'

test('a crowd that loses its branch learns of it in portions, unless they have left or receive again', async () => {
  const notified: Receiver[] = []
  const members = Array.from({ length: 250 }, (_, at): Receiver => ({ voiceSessionId: `${at}` }))
  let lose = () => {}
  const elsewhere: Elsewhere = {
    choose: () => undefined,
    open: (node, _main, onEnded) => {
      const branch = { node, members: new Set<Receiver>(), close() {} } as unknown as LinkedBranch
      lose = () => onEnded(branch, 'lost')
      return branch
    },
  }
  const workers = { peersMax: 1_000, byLoad: () => [], replaced: async () => {}, elsewhere }
  const branches = new Branches({} as never, {} as never, workers, (receiver) => notified.push(receiver))
  for (const member of members) branches.place(member, 'other')
  lose()
  // A worker that is asked for all handshakes at once drops some, and those take seconds.
  expect(notified).toHaveLength(100)
  branches.release(members[249]!)
  expect(await branches.of(members[248]!)).toBeUndefined()
  await until(() => notified.length >= 248)
  expect(notified).toEqual(members.slice(0, 248))
  expect(branches.onMain).toBe(1)
  branches.close()
})
