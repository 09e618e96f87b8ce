import { expect, test } from 'bun:test'
import { ScreenShare } from '../../../src/web/voice/screen-share.ts'

/** A member who shares a screen, and what the server heard of it. */
function sharing() {
  const reports: boolean[] = []
  const line = { isOffline: false }
  const command = async (_: string, { sharing_screen }: { sharing_screen: boolean }) => {
    if (line.isOffline) throw new Error('The gateway is offline')
    reports.push(sharing_screen)
  }
  const published = new Map<string, unknown>()
  const publish = async (source: string, track: unknown) => {
    published.set(source, track)
    return track
  }
  const share = new ScreenShare({ command } as never, publish, () => {})
  const track = () => Object.assign(new EventTarget(), { kind: 'video', readyState: 'live', stop() {} })
  const start = () => {
    const tracks = [track()]
    const stream = { getTracks: () => tracks, getVideoTracks: () => tracks, getAudioTracks: () => [] }
    return share.start('detail', stream as never)
  }
  return { share, reports, line, published, start }
}

test('the end of a screen share while the gateway is offline is reported once it is back', async () => {
  const { share, reports, line, published, start } = sharing()
  await start()
  line.isOffline = true
  await share.stop()
  expect(published.get('screen')).toBeUndefined()
  // Still offline at the first try.
  await share.repeat()
  line.isOffline = false
  await share.repeat()
  await share.repeat()
  expect(reports).toEqual([true, false])
})

test('a screen that is shared again before the gateway is back stays shared', async () => {
  const { share, reports, line, start } = sharing()
  await start()
  line.isOffline = true
  await share.stop()
  line.isOffline = false
  const [starting] = [start(), share.repeat()]
  await starting
  await share.repeat()
  expect(reports).toEqual([true, true])
})

test('a share whose beginning was lost, though perhaps not on the way to the server, is reported as none', async () => {
  const { share, reports, line, start } = sharing()
  line.isOffline = true
  expect(await start().catch(String)).toContain('offline')
  line.isOffline = false
  await share.repeat()
  expect([reports, share.stream]).toEqual([[false], undefined])
})
