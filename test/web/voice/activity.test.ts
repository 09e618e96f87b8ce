import { expect, test } from 'bun:test'
import { ActivityReports } from '../../../src/web/voice/activity-reports.ts'

/** Reports with a clock of the test, in seconds, and their times. */
function scene() {
  let seconds = 100
  const times: number[] = []
  const reports = new ActivityReports(
    () => times.push(seconds),
    () => seconds * 1000,
  )
  const at = (time: number) => {
    seconds = time
    return reports
  }
  return { at, times }
}

test('each voice session begins with a report, also of somebody who says and does nothing', () => {
  const { at, times } = scene()
  at(100).look('', false)
  at(101).look('one', false)
  at(103).look('one', false)
  at(200).look('one', false)
  expect(times).toEqual([101])
  // After a move or a reconnection the session is another one.
  at(201).look('two', false)
  expect(times).toEqual([101, 201])
})

test('speech and input are reported at most every 20 seconds', () => {
  const { at, times } = scene()
  at(100).active('one')
  for (let time = 100; time < 141; time += 0.5) at(time).active('one')
  at(150).look('one', true)
  at(160).look('one', true)
  at(161).look('one', false)
  at(200).active('one')
  expect(times).toEqual([100, 120, 140, 160, 200])
})

test('nothing is reported outside of a call', () => {
  const { at, times } = scene()
  at(100).active('')
  at(130).look('', true)
  expect(times).toEqual([])
})
