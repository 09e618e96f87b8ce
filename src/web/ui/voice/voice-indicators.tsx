import type { VoiceState } from '../../../voice/model.ts'
import { words } from '../../words/words.ts'
import { Icon } from '../kit/icons.tsx'

/** Icons for a member who is muted, deafened or shares a screen. */
export const VoiceIndicators = ({ voice }: { voice: VoiceState }) => (
  <span class="marks">
    {voice.self_mute || voice.server_mute ? (
      <span class={voice.server_mute ? 'warned' : ''} role="img" aria-label={words.voice.muted}>
        <Icon name="micOff" size={16} />
      </span>
    ) : null}
    {voice.self_deaf || voice.server_deaf ? (
      <span class={voice.server_deaf ? 'warned' : ''} role="img" aria-label={words.voice.deafened}>
        <Icon name="deaf" size={16} />
      </span>
    ) : null}
    {voice.sharing_screen ? (
      <span role="img" aria-label={words.voice.sharing}>
        <Icon name="screen" size={16} />
      </span>
    ) : null}
  </span>
)
