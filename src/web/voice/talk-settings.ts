import { signal } from '@preact/signals'
import { onDevice } from '../state/stored.ts'

const KEY = 'parley.talk'

/** When the microphone is sent while it is not muted. */
export interface TalkSettings {
  /** Always open; open while the person speaks; open while a key is pressed. */
  mode: 'open' | 'voice' | 'push'
  /** Level from which audio counts as speech, 0 to 1 as in LevelMeter. */
  threshold: number
  /** KeyboardEvent.code of the key. */
  key: string
  /** Shortcuts of the actions during a call, with their modifiers; empty for none. */
  keys: { mute: string; deafen: string; camera: string; leave: string }
  /** True if calls are joined muted. */
  muted: boolean
  /** True if the browser removes the echo of the loudspeaker from the microphone. */
  echo: boolean
  /** The filter that reduces noise. */
  noise: 'off' | 'browser' | 'rnnoise'
  /** True if the browser makes quiet voices louder (automatic gain). */
  gain: boolean
  /** True if audio is sent as music: in stereo and without the filters above. */
  music: boolean
}

const DEFAULTS: TalkSettings = {
  mode: 'open',
  threshold: 0.35,
  key: 'ControlRight',
  keys: { mute: 'Control+Shift+KeyM', deafen: 'Control+Shift+KeyD', camera: '', leave: '' },
  muted: false,
  echo: true,
  noise: 'browser',
  gain: true,
  music: false,
}

function storedSettings(): TalkSettings {
  try {
    const settings: Partial<TalkSettings> = JSON.parse(onDevice.getItem(KEY) ?? '{}')
    return { ...DEFAULTS, ...settings }
  } catch {
    return DEFAULTS
  }
}

/** The settings of this browser. */
export const talkSettings = signal(storedSettings())

export function changeTalk(change: Partial<TalkSettings>): void {
  talkSettings.value = { ...talkSettings.value, ...change }
  onDevice.setItem(KEY, JSON.stringify(talkSettings.value))
}
