import { useLayoutEffect } from 'preact/hooks'
import { hangUp } from '../../voice/current-call.ts'
import { followCall, touchCall } from '../../voice/shown-call.ts'
import type { VoiceCall } from '../../voice/call.ts'
import { listens } from '../../voice/stage-part.ts'
import { cameraStarting, toggleCamera } from '../../voice/cameras.ts'
import { isKeyHeld } from '../../voice/talk-gate.ts'
import { talkSettings } from '../../voice/talk-settings.ts'
import { shareScreen, stopSharing } from '../../voice/screens.ts'
import { state } from '../../state/session.ts'
import { callWords } from '../../words/call.ts'
import { IconButton } from '../kit/controls.tsx'
import { showLater } from '../kit/dialogs.tsx'
import { Icon } from '../kit/icons.tsx'
import { showMenu } from '../kit/open-menu.tsx'

interface ControlsProps {
  call: VoiceCall
  /** True if the controls are in a separate window, where no menu can open. */
  isApart?: boolean
}

/** The buttons of the current call: the microphone, the sound, the camera, the screen, and leaving. */
export const CallControls = ({ call, isApart = false }: ControlsProps) => {
  const channel = state.channels.get(call.channel_id)
  const isListener = listens(call)
  const mayShare = channel !== undefined && !isListener && state.mayIn(channel, 'share_screen')
  // Browsers of phones share no screens.
  const canShare = mayShare && 'getDisplayMedia' in (navigator.mediaDevices ?? {})
  return (
    <div class="controls">
      {isListener ? null : (
        <IconButton
          icon={call.self_mute ? 'micOff' : 'mic'}
          label={call.self_mute ? callWords.unmute : callWords.mute}
          pressed={call.self_mute}
          onClick={() => void call.setMute(!call.self_mute).then(touchCall)}
        />
      )}
      <IconButton
        icon={call.self_deaf ? 'deaf' : 'undeaf'}
        label={call.self_deaf ? callWords.undeafen : callWords.deafen}
        pressed={call.self_deaf}
        onClick={() => void call.setDeaf(!call.self_deaf).then(touchCall)}
      />
      {mayShare || call.camera ? <CameraButton call={call} /> : null}
      {(canShare && !isApart) || call.sharing_screen ? (
        <IconButton
          icon="screen"
          class="sharing"
          label={call.sharing_screen ? callWords.unshare : callWords.share}
          pressed={call.sharing_screen}
          onClick={({ currentTarget }) =>
            call.sharing_screen ? void stopSharing(call) : chooseKind(call, currentTarget)
          }
        />
      ) : null}
      {isApart || channel?.server_id == null || call.silenced || !state.mayIn(channel, 'use_soundboard') ? null : (
        <IconButton icon="sounds" label={callWords.sounds.open} onClick={() => showSounds(channel.server_id)} />
      )}
      <IconButton icon="hangUp" class="hang-up" label={callWords.leave} onClick={() => void hangUp()} />
      {isTouched() && !isListener ? <TalkButton isMuted={call.self_mute} /> : null}
    </div>
  )
}

const showSounds = (serverId: number | null) =>
  showLater(async () => {
    const { SoundBoard } = await import('./sound-board.tsx')
    return () => (serverId === null ? null : <SoundBoard server_id={serverId} />)
  })

/** True if the main pointer is a finger, so that there may be no keyboard. */
const isTouched = (): boolean => matchMedia('(pointer: coarse)').matches

/** The push-to-talk button for touch screens. */
const TalkButton = ({ isMuted }: { isMuted: boolean }) => {
  // Browsers send no event when a finger is lifted from a button that was removed or disabled.
  useLayoutEffect(() => () => void (isKeyHeld.value = false), [isMuted])
  if (talkSettings.value.mode !== 'push') return null
  return (
    <button
      type="button"
      class="hold sharing"
      aria-pressed={isKeyHeld.value}
      disabled={isMuted}
      onPointerDown={({ currentTarget, pointerId }) => {
        // The finger may leave the button.
        currentTarget.setPointerCapture(pointerId)
        isKeyHeld.value = true
      }}
      onLostPointerCapture={() => (isKeyHeld.value = false)}
      // Screen readers and keys press, and do not hold.
      onClick={({ detail }) => detail === 0 && (isKeyHeld.value = !isKeyHeld.value)}
      onContextMenu={(event) => event.preventDefault()}
    >
      <Icon name="mic" size={18} />
      {callWords.hold}
    </button>
  )
}

/** Asks for the screen's priority, then shares it. */
const chooseKind = (call: VoiceCall, opener: HTMLElement): void =>
  showMenu({
    label: callWords.share,
    opener,
    items: (['detail', 'motion'] as const).map((kind) => ({
      name: kind,
      icon: kind === 'detail' ? 'file' : 'screen',
      label: callWords.screenKinds[kind].join(' · '),
      run: () => shareScreen(call, kind),
    })),
  })

/** Turns the camera on and off, unless a moderator has stopped it. */
const CameraButton = ({ call }: { call: VoiceCall }) => {
  followCall()
  const isOn = call.camera !== undefined
  const isStopped = call.camera_stopped && !isOn
  const label = isOn ? callWords.cameraOff : callWords.camera
  return (
    <IconButton
      icon={isStopped ? 'cameraOff' : 'camera'}
      class="sharing"
      label={isStopped ? callWords.cameraStopped : label}
      pressed={isOn}
      disabled={isStopped || (!isOn && cameraStarting.value)}
      onClick={() => void toggleCamera(call)}
    />
  )
}
