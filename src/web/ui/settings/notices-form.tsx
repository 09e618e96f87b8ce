import { useEffect, useState } from 'preact/hooks'
import type { PushSettings } from '../../../features/push/model.ts'
import { changeDevice, deviceSettings } from '../../device/device-settings.ts'
import { forgetSettings } from '../../device/notices.ts'
import { hindrance, isPushOn, switchPushOff, switchPushOn } from '../../device/push.ts'
import { askOffers, offers } from '../../state/offers.ts'
import { call } from '../../state/session.ts'
import { deviceWords } from '../../words/device.ts'
import { words } from '../../words/words.ts'
import { showNote } from '../kit/dialogs.tsx'
import { Switch } from '../kit/dialog-forms.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { settled } from '../kit/settled.ts'

const { notices } = deviceWords
const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
const NIGHT = { from: '22:00', until: '07:00' }

/** Notification settings: of this device, and of all devices. */
export const NoticesForm = () => {
  useEffect(askOffers, [])
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <fieldset class="field">
        <legend>{notices.here}</legend>
        <Push />
        <Page />
      </fieldset>
      <Everywhere />
    </form>
  )
}

const Push = () => {
  const [on, setOn] = useState(isPushOn)
  const [isDenied, setDenied] = useState(() => hindrance() === 'denied')
  const { attempt, busy, error } = useAttempt()
  const pushKey = offers.value?.push_key
  if (pushKey === undefined) return null
  if (pushKey === null) return <p class="quiet">{notices.off}</p>
  if (hindrance() === 'none') return <p class="quiet">{notices.none}</p>
  const change = async (isEnabled: boolean) => {
    setOn(isEnabled)
    const isOn = await attempt(async () => (isEnabled ? switchPushOn(pushKey) : switchPushOff().then(() => false)))
    setOn(isOn ?? isPushOn())
    setDenied(hindrance() === 'denied')
  }
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={on}
          disabled={busy || isDenied}
          onChange={(event) => void change(event.currentTarget.checked)}
        />
        <span>
          {notices.push}
          <small>{isDenied ? notices.denied : notices.pushText}</small>
        </span>
      </label>
      <Refusal error={error} />
    </>
  )
}

const Page = () => {
  const { desktop, sound } = deviceSettings.value
  const [isDenied, setDenied] = useState(false)
  const setDesktop = async (isOn: boolean) => {
    const isAllowed = isOn && (await Notification.requestPermission()) === 'granted'
    setDenied(isOn && !isAllowed)
    changeDevice({ desktop: isAllowed })
  }
  return (
    <>
      {!isSecureContext ? (
        <p class="quiet">{notices.needHttps}</p>
      ) : 'Notification' in globalThis ? (
        <Switch label={notices.desktop} on={desktop} onChange={(on) => void setDesktop(on)} />
      ) : null}
      {isDenied ? (
        <p class="quiet" role="status">
          {notices.denied}
        </p>
      ) : null}
      <Switch label={notices.sound} on={sound} onChange={(on) => changeDevice({ sound: on })} />
    </>
  )
}

const Everywhere = () => {
  const [settings, setSettings] = useState<PushSettings>()
  const { attempt, error } = useAttempt()
  useEffect(() => void attempt(() => call('GET /api/push/settings')).then(setSettings), [])
  if (!settings) return <Refusal error={error} />
  const change = async (next: Partial<PushSettings>) => {
    setSettings((now) => now && { ...now, ...next })
    const answer = await attempt(() => call('PUT /api/push/settings', {}, next))
    setSettings((now) => now && settled(now, next, answer ?? settings))
    forgetSettings()
    if (answer) showNote(words.saved)
  }
  const hours = settings.quiet_hours
  const time = (name: 'from' | 'until') =>
    hours ? (
      <label class="field">
        <span>{notices[name]}</span>
        <input
          type="time"
          required
          value={hours[name]}
          onChange={({ currentTarget: { value } }) =>
            value !== '' && void change({ quiet_hours: { ...hours, [name]: value } })
          }
        />
      </label>
    ) : null
  return (
    <fieldset class="field">
      <legend>{notices.everywhere}</legend>
      <label class="check">
        <input
          type="checkbox"
          checked={settings.hide_content}
          onChange={(event) => void change({ hide_content: event.currentTarget.checked })}
        />
        <span>
          {notices.hide}
          <small>{notices.hideText}</small>
        </span>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={hours !== null}
          onChange={({ currentTarget: { checked } }) =>
            void change({ quiet_hours: checked ? { ...NIGHT, time_zone: ownZone() } : null })
          }
        />
        <span>
          {notices.quiet}
          <small>{notices.quietText(hours?.time_zone ?? ownZone())}</small>
        </span>
      </label>
      <div class="pair">
        {time('from')}
        {time('until')}
      </div>
      <Refusal error={error} />
    </fieldset>
  )
}
