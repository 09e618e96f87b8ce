import { signal } from '@preact/signals'

const KEY = 'parley.talk'

/** When the microphone is sent while it is not muted. */
export interface TalkSettings {
  /** always; while somebody speaks; while a key is held */
  mode: 'open' | 'voice' | 'push'
  /** From which level on it counts as speech, 0 to 1 as LevelMeter measures. */
  threshold: number
  /** KeyboardEvent.code of the key. */
  key: string
  /** Whether calls are joined muted. */
  muted: boolean
}

const DEFAULTS: TalkSettings = { mode: 'open', threshold: 0.35, key: 'ControlRight', muted: false }

function stored(): TalkSettings {
  try {
    const kept: Partial<TalkSettings> = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return { ...DEFAULTS, ...kept }
  } catch {
    return DEFAULTS
  }
}

/** Of this browser. */
export const talkSettings = signal(stored())

export function changeTalk(change: Partial<TalkSettings>): void {
  talkSettings.value = { ...talkSettings.value, ...change }
  localStorage.setItem(KEY, JSON.stringify(talkSettings.value))
}
