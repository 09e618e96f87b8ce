import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { SelectField, Switch } from './ui/kit/dialog-forms.tsx'
import { closeDialog, showDialog } from './ui/kit/dialogs.tsx'
import { Empty } from './ui/kit/empty.tsx'
import { Field, PasswordField } from './ui/kit/forms.tsx'
import { Icon, type IconName } from './ui/kit/icons.tsx'
import { groundOf, Picture } from './ui/kit/controls.tsx'
import { PasswordRules } from './ui/kit/password-rules.tsx'
import { inGroup, TabbedDialog } from './ui/kit/tabbed-dialog.tsx'
import { ChannelPermissions, RolePermissions } from './ui/server/permission-fields.tsx'

/** A heading with its content. */
export const Part = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section>
    <h2>{title}</h2>
    {children}
  </section>
)

/** Switches, choices, passwords, permissions, meters and steps. */
export const Forms = () => {
  const [on, setOn] = useState(true)
  const [level, setLevel] = useState<'all' | 'mentions'>('all')
  const [password, setPassword] = useState('Kingfisher')
  const [bits, setBits] = useState(2050)
  const [overwrite, setSaid] = useState({ allow: 1024, deny: 2048 })
  return (
    <Part title="Switches, choices, passwords, permissions, steps">
      <form onSubmit={(event) => event.preventDefault()}>
        <Switch label="Play a sound" on={on} onChange={setOn} />
        <Switch label="Join calls muted" on={!on} onChange={(muted) => setOn(!muted)} />
        <SelectField
          label="Notify me of"
          value={level}
          options={[
            ['all', 'All messages'],
            ['mentions', 'Mentions'],
          ]}
          onChange={setLevel}
        />
        <PasswordField label="New password" value={password} onInput={setPassword} isNew />
        <PasswordRules password={password} />
        <Field label="Search" value="" onInput={() => {}} placeholder="Search settings" />
        <meter class="level" min={0} max={1} low={0.2} value={0.6} aria-label="Input level" />
        <ol class="steps" aria-label="Progress">
          <li class="done">Name</li>
          <li aria-current="step">Channels</li>
          <li>Invite</li>
        </ol>
        <RolePermissions bits={bits} ownBits={-1} onChange={setBits} />
        <ChannelPermissions bits={overwrite} inheritedOf={() => 'Allowed by the role'} onChange={setSaid} />
      </form>
      <button type="button" onClick={openSettings}>
        Open a page of settings
      </button>
    </Part>
  )
}

const openSettings = () =>
  showDialog(() => (
    <TabbedDialog
      title="Settings"
      tabs={[
        ...inGroup('Account', [['Profile', () => <p>What others see of you.</p>]]),
        ...inGroup('App', [['Appearance', () => <p>Light or dark.</p>, ['Theme']]]),
      ]}
      onClose={closeDialog}
    />
  ))

const NOTHING: [icon: IconName, title: string, text: string][] = [
  ['hash', 'No channels yet', 'A channel is a place for one subject.'],
  ['friends', 'No friends yet', 'Find people by their names.'],
]

/** Placeholders for an empty page and for content that is loading. */
export const Waiting = () => (
  <Part title="Empty, and loading">
    <div class="pair">
      {NOTHING.map(([icon, title, text]) => (
        <Empty key={title} icon={icon} title={title} text={text}>
          <button type="button" class="primary">
            Begin
          </button>
        </Empty>
      ))}
    </div>
    <p class="quiet loading">Loading…</p>
  </Part>
)

const CALLERS: [name: string, style: string, marks: IconName[]][] = [
  ['Alice Winter', 'speaking', []],
  ['Bob', '', ['micOff']],
  ['Carol', '', ['micOff', 'deaf']],
  ['Dóra', '', ['screen']],
]

/** The tiles of a call, and the controls below them. */
export const Call = () => (
  <Part title="A call: speaking, muted, deafened, sharing">
    <div class="voice dark">
      <div class="call-room">
        <ul class="participants" style={{ '--columns': 2, '--rows': 2 }}>
          {CALLERS.map(([name, style, marks], id) => (
            <li key={name} class={`participant ${style}`} style={{ '--picture': groundOf(id) }}>
              <Picture id={id} name={name} file_id={null} size={64} />
              <span class="tag">
                <span class="marks">
                  {marks.map((mark) => (
                    <Icon key={mark} name={mark} size={14} />
                  ))}
                </span>
                <bdi>{name}</bdi>
              </span>
            </li>
          ))}
        </ul>
      </div>
      <footer>
        <p class="controls choices">
          {(['mic', 'undeaf', 'screen'] as const).map((icon) => (
            <button key={icon} type="button" class="bare" aria-label={icon} title={icon}>
              <Icon name={icon} />
            </button>
          ))}
          <button type="button" class="danger" aria-label="Leave" title="Leave">
            <Icon name="hangUp" />
          </button>
        </p>
      </footer>
    </div>
  </Part>
)
