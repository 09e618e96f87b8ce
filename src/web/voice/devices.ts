/** The kinds of devices that one can choose for calls. */
export type DeviceKind = 'audioinput' | 'audiooutput'

const key = (kind: DeviceKind): string => `parley.device.${kind}`

/** The id of the device chosen in this browser; empty for the system's default. */
export const chosenDevice = (kind: DeviceKind): string => localStorage.getItem(key(kind)) ?? ''
export const rememberDevice = (kind: DeviceKind, id: string): void => localStorage.setItem(key(kind), id)

/** Every device. Browsers give names only to a page that may use the microphone, so this asks for it. */
export async function listDevices(): Promise<MediaDeviceInfo[]> {
  const stream = await navigator.mediaDevices?.getUserMedia({ audio: true })
  for (const track of stream?.getTracks() ?? []) track.stop()
  return (await navigator.mediaDevices?.enumerateDevices()) ?? []
}
