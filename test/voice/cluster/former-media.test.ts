import { expect, test } from 'bun:test'
import { RoomHandOver } from '../../../src/voice/cluster/room-hand-over.ts'
import { openSfu } from '../../support/browser/sfu.ts'
import { until } from '../../support/until.ts'
import { WORKER_MS } from '../../support/media-worker.ts'

test(
  'the media of a call that has moved end in time, though another call is still moving',
  async () => {
    const sfu = await openSfu()
    const [moved, slow] = await Promise.all([1, 2].map((id) => sfu.room(id, () => undefined)))
    const roomOf = (channel_id: number, routed: unknown) => ({
      channel_id,
      routed,
      epoch: 1,
      choice: { route: 'sfu', broken: [] },
      seats: new Map([[`${channel_id}`, { user: { id: channel_id }, voice_session_id: `${channel_id}` }]]),
    })
    const rooms = [roomOf(1, moved), roomOf(2, slow)]
    const end = Promise.withResolvers<void>()
    const handOver = new RoomHandOver(
      { nodes: { id: 'one' }, log: () => undefined } as never,
      {
        rooms: { all: () => rooms, at: (id: number) => rooms.find((room) => room.channel_id === id), release() {} },
        switcher: { switched: async () => undefined },
        states: { at: (id: number) => ({ row: { voice_session_id: `${id}` } }) },
      } as never,
      {
        retire() {},
        handOver: (_id: number, work: (give: () => Promise<boolean>) => void) => work(async () => true),
      } as never,
      { retire() {}, next: () => 'two', understands: () => true } as never,
      {
        take: (_node: string, { channel_id }: { channel_id: number }) =>
          channel_id === 2 ? end.promise : Promise.resolve(),
      } as never,
      { handOver: async () => undefined } as never,
    )
    const running = handOver.run(new AbortController().signal)
    await until(() => moved!.isClosed())
    expect(slow!.isClosed()).toBe(false)
    end.resolve()
    await running
    await handOver.mediaMoved(new AbortController().signal)
    expect(slow!.isClosed()).toBe(true)
    await sfu.stop()
  },
  WORKER_MS,
)
