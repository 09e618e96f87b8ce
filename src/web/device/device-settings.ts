import { signal } from '@preact/signals'
import { onDevice } from '../state/stored.ts'

const KEY = 'parley.notices'

/** Notification settings of this device while the page is open. */
export interface DeviceSettings {
  desktop: boolean
  sound: boolean
}

const DEFAULTS: DeviceSettings = { desktop: false, sound: true }

function storedSettings(): DeviceSettings {
  try {
    const settings: unknown = JSON.parse(onDevice.getItem(KEY) ?? '{}')
    const flag = (name: keyof DeviceSettings): boolean =>
      typeof settings === 'object' && settings !== null && name in settings
        ? Reflect.get(settings, name) === true
        : DEFAULTS[name]
    return { desktop: flag('desktop'), sound: flag('sound') }
  } catch {
    return DEFAULTS
  }
}

export const deviceSettings = signal(storedSettings())

export function changeDevice(change: Partial<DeviceSettings>): void {
  deviceSettings.value = { ...deviceSettings.value, ...change }
  onDevice.setItem(KEY, JSON.stringify(deviceSettings.value))
}
