import { onDevice } from '../state/stored.ts'
/** The kinds of devices to choose for calls. */
export type DeviceKind = 'audioinput' | 'audiooutput' | 'videoinput'

const key = (kind: DeviceKind): string => `parley.device.${kind}`

/** The id of the device chosen in this browser; empty for the system's default. */
export const chosenDevice = (kind: DeviceKind): string => onDevice.getItem(key(kind)) ?? ''
export const rememberDevice = (kind: DeviceKind, id: string): void => onDevice.setItem(key(kind), id)

/** Every device. Browsers give names only to a page that may use microphone and camera, so this asks for them. */
export async function listDevices(): Promise<MediaDeviceInfo[]> {
  const { mediaDevices } = navigator
  const ask = (video: boolean) => mediaDevices?.getUserMedia({ audio: true, video })
  const stream = await ask(true).catch((error: Error) => {
    // Many have no camera.
    if (error.name === 'NotFoundError') return ask(false)
    throw error
  })
  for (const track of stream?.getTracks() ?? []) track.stop()
  return (await navigator.mediaDevices?.enumerateDevices()) ?? []
}
