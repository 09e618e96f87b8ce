/** What calls can take a choice of. */
export type DeviceKind = 'audioinput' | 'audiooutput'

const key = (kind: DeviceKind): string => `parley.device.${kind}`

/** The device chosen in this browser; empty where the system chooses. */
export const chosenDevice = (kind: DeviceKind): string => localStorage.getItem(key(kind)) ?? ''
export const rememberDevice = (kind: DeviceKind, id: string): void => localStorage.setItem(key(kind), id)

/** The devices that there are; their names are told only to a page that may listen, so it asks for that. */
export async function listDevices(): Promise<MediaDeviceInfo[]> {
  const stream = await navigator.mediaDevices?.getUserMedia({ audio: true })
  for (const track of stream?.getTracks() ?? []) track.stop()
  return (await navigator.mediaDevices?.enumerateDevices()) ?? []
}
