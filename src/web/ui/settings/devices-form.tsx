import { useState } from 'preact/hooks'
import { chooseDevice } from '../../voice/current-call.ts'
import { chosenDevice, type DeviceKind, listDevices } from '../../voice/devices.ts'
import { words } from '../../words/words.ts'
import { Refusal, useAttempt } from '../kit/forms.tsx'

const KINDS: DeviceKind[] = ['audioinput', 'audiooutput']

/** The microphone and loudspeaker of calls; a choice applies to a running call too. */
export const DevicesForm = () => {
  const [devices, setDevices] = useState<MediaDeviceInfo[]>()
  const { attempt, busy, error } = useAttempt()
  const load = async () => setDevices(await attempt(listDevices))
  if (!devices)
    return (
      <>
        <p class="pad">
          <button type="button" disabled={busy} onClick={() => void load()}>
            {words.devices.choose}
          </button>
        </p>
        <Refusal error={error} />
      </>
    )
  return (
    <>
      {KINDS.map((kind) => (
        <label key={kind} class="field">
          {words.devices[kind]}
          <select
            value={chosenDevice(kind)}
            onChange={(event) => void attempt(() => chooseDevice(kind, event.currentTarget.value))}
          >
            <option value="">{words.devices.system}</option>
            {devices
              .filter((device) => device.kind === kind && device.deviceId !== '' && device.deviceId !== 'default')
              .map((device) => (
                <option key={device.deviceId} value={device.deviceId}>
                  {device.label}
                </option>
              ))}
          </select>
        </label>
      ))}
      <Refusal error={error} />
    </>
  )
}
