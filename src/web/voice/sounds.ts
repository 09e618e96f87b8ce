import { signal } from '@preact/signals'
import { onDevice } from '../state/stored.ts'
import { chosenDevice } from './devices.ts'

const VOLUME = 'parley.sounds.volume'
const NEVER = 'parley.sounds.never'
/** Sounds of a call that are played at once; the server's limit. */
const AT_ONCE_MAX = 3

const storedVolume = Number(onDevice.getItem(VOLUME) ?? 0.5)
/** The volume of sounds in calls, 0 to 1; kept in this browser. */
export const soundVolume = signal(storedVolume >= 0 && storedVolume <= 1 ? storedVolume : 0.5)
/** True if this browser plays no sounds in calls. */
export const neverPlays = signal(onDevice.getItem(NEVER) !== null)

const playing = new Set<HTMLAudioElement>()

export function setSoundVolume(volume: number): void {
  soundVolume.value = volume
  onDevice.setItem(VOLUME, String(volume))
  for (const player of playing) player.volume = volume
}

export function setNeverPlays(isNever: boolean): void {
  neverPlays.value = isNever
  if (isNever) onDevice.setItem(NEVER, 'yes')
  else onDevice.removeItem(NEVER)
  if (isNever) stopSounds()
}

/** Plays a sound at the chosen volume, on the speaker of calls. */
export function playSound(url: string): void {
  if (neverPlays.value || soundVolume.value === 0 || playing.size >= AT_ONCE_MAX) return
  const player = new Audio(url)
  player.volume = soundVolume.value
  playing.add(player)
  const end = () => void playing.delete(player)
  player.addEventListener('ended', end)
  player.addEventListener('error', end)
  const start = () => player.play().catch(end)
  const device = player.setSinkId?.(chosenDevice('audiooutput')).catch(() => {})
  void (device ? device.then(start) : start())
}

/** Ends the sounds that play. */
function stopSounds(): void {
  for (const player of playing) player.pause()
  playing.clear()
}
