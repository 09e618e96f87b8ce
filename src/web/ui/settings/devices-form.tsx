import { useEffect, useState } from 'preact/hooks'
import { changeCamera } from '../../voice/cameras.ts'
import { chooseDevice } from '../../voice/current-call.ts'
import { followCall } from '../../voice/shown-call.ts'
import { chosenDevice, type DeviceKind, listDevices } from '../../voice/devices.ts'
import { settingsWords } from '../../words/settings.ts'
import { SelectField } from '../kit/dialog-forms.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'

const KINDS: DeviceKind[] = ['audioinput', 'audiooutput', 'videoinput']

async function choose(kind: DeviceKind, id: string): Promise<void> {
  await chooseDevice(kind, id)
  const now = followCall()
  if (kind === 'videoinput' && now) await changeCamera(now)
}

/** The microphone, loudspeaker and camera of calls; a choice applies to a running call too. */
export const DevicesForm = () => {
  const [devices, setDevices] = useState<MediaDeviceInfo[]>()
  const { attempt, busy, error } = useAttempt()
  const load = async () => setDevices(await attempt(listDevices))
  useEffect(() => {
    const { mediaDevices } = navigator
    if (!devices || !mediaDevices) return
    const renew = () => void mediaDevices.enumerateDevices().then(setDevices)
    mediaDevices.addEventListener('devicechange', renew)
    return () => mediaDevices.removeEventListener('devicechange', renew)
  }, [!devices])
  if (!isSecureContext) return <p class="quiet">{settingsWords.devices.needHttps}</p>
  if (!devices)
    return (
      <>
        <p class="pad">
          <button type="button" disabled={busy} onClick={() => void load()}>
            {settingsWords.devices.choose}
          </button>
        </p>
        <Refusal error={error} />
      </>
    )
  return (
    <>
      {KINDS.map((kind) => (
        <SelectField
          key={kind}
          label={settingsWords.devices[kind]}
          value={chosenDevice(kind)}
          options={[
            ['', settingsWords.devices.system],
            ...devices
              .filter((device) => device.kind === kind && device.deviceId !== '' && device.deviceId !== 'default')
              .map((device) => [device.deviceId, device.label] as const),
          ]}
          onChange={(id) => void attempt(() => choose(kind, id))}
        />
      ))}
      <Refusal error={error} />
    </>
  )
}
