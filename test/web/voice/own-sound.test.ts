import { expect, test } from 'bun:test'
import { deafen, mute } from '../../../src/web/voice/own-sound.ts'

const OPEN = { self_mute: false, self_deaf: false, isMutedByDeaf: false }
const MUTED = { ...OPEN, self_mute: true }

test('deafening mutes, and undeafening opens the microphone only if deafening had closed it', () => {
  const deaf = deafen(true, OPEN)
  expect(deaf).toMatchObject({ self_mute: true, self_deaf: true })
  expect(deafen(false, deaf)).toEqual(OPEN)
  expect(deafen(false, deafen(true, MUTED))).toEqual(MUTED)
  // Deafened twice, for instance by a key and by a button.
  expect(deafen(false, deafen(true, deaf))).toEqual(OPEN)
  // A deafened person who unmutes hears again, and one who mutes stays muted.
  expect(mute(false, deaf)).toEqual(OPEN)
  expect(deafen(false, mute(true, deaf))).toEqual(MUTED)
})
