import { expect, test } from 'bun:test'
import { type Choice, isSameShown, newerChoice, PLAIN, shownStatus } from '../../../src/features/status/shown.ts'

const NONE: Choice = { status: 'online', text: null, emoji: null, until: null, set_at: 1 }
const SAYING = { text: 'In a meeting', emoji: '🎧' }

test('others see the choice, and of `online` what the devices say', () => {
  for (const activity of ['online', 'idle'] as const) {
    expect(shownStatus(undefined, activity)).toBe(PLAIN[activity])
    expect(shownStatus(NONE, activity)).toBe(PLAIN[activity])
    expect(shownStatus({ ...NONE, status: 'idle' }, activity)).toBe(PLAIN.idle)
    expect(shownStatus({ ...NONE, status: 'dnd' }, activity)).toBe(PLAIN.dnd)
    expect(shownStatus({ ...NONE, ...SAYING }, activity)).toEqual({ status: activity, ...SAYING })
    expect(shownStatus({ ...NONE, text: 'Lunch' }, activity)).toEqual({ status: activity, text: 'Lunch' })
  }
})

test('nothing tells an invisible account from one without a connection, whatever it says', () => {
  for (const activity of ['online', 'idle', undefined] as const)
    expect(shownStatus({ ...NONE, ...SAYING, status: 'invisible' }, activity)).toBe(PLAIN.offline)
  for (const status of ['online', 'idle', 'dnd'] as const)
    expect(shownStatus({ ...NONE, ...SAYING, status }, undefined)).toBe(PLAIN.offline)
})

test('the choice with the greater number counts, in whatever order two of them come', () => {
  const later = { ...NONE, set_at: 2 }
  for (const pair of [
    [NONE, later],
    [later, NONE],
    [undefined, later],
    [later, undefined],
  ] as const)
    expect(newerChoice(pair[0], pair[1])).toBe(later)
  expect(newerChoice(undefined, undefined)).toBeUndefined()
})

test('two statuses are the same if status, text and emoji are', () => {
  expect(isSameShown(PLAIN.dnd, { status: 'dnd' })).toBeTrue()
  expect(isSameShown({ status: 'dnd', ...SAYING }, { status: 'dnd', ...SAYING })).toBeTrue()
  expect(isSameShown({ status: 'dnd', ...SAYING }, { status: 'dnd', text: SAYING.text })).toBeFalse()
  expect(isSameShown(PLAIN.online, PLAIN.idle)).toBeFalse()
})
