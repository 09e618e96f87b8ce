import { holds, type Permission, permissionNames } from '../../../core/permissions.ts'
import { permissionWords } from '../../words/permissions.ts'
import { settingsWords } from '../../words/settings.ts'
import { Icon } from '../kit/icons.tsx'
import { isSetInChannels, PERMISSION_TOPICS, type PermissionTopic, withBit } from './permission-topics.ts'

/** Names of the permissions, which the search in settings finds. */
export const permissionTitles = permissionNames.map((name) => settingsWords.permissions[name][0])

/** The visible permissions of a topic. */
const shownIn = (topic: PermissionTopic, isShown: (name: Permission) => boolean): Permission[] =>
  PERMISSION_TOPICS[topic].filter(isShown)

const topics = Object.keys(PERMISSION_TOPICS) as PermissionTopic[]

interface TopicsProps {
  isShown?: (name: Permission) => boolean
  /** Summary of a collapsed topic's permissions. */
  summary: (names: Permission[]) => string
  children: (name: Permission) => preact.ComponentChildren
}

/** The expanded topics, which stay expanded from one role to the next. */
const openTopics = new Set<PermissionTopic>(['general'])

/** The permissions, folded by topic; at first the first topic is open. */
const Topics = ({ isShown = () => true, summary, children }: TopicsProps) => (
  <div class="topics">
    {topics.map((topic) => {
      const names = shownIn(topic, isShown)
      return names.length === 0 ? null : (
        <details
          key={topic}
          open={openTopics.has(topic)}
          onToggle={({ currentTarget }) => (currentTarget.open ? openTopics.add(topic) : openTopics.delete(topic))}
        >
          <summary>
            <Icon name="chevron" size={16} />
            <span>{permissionWords.topics[topic]}</span>
            <small>{summary(names)}</small>
          </summary>
          <ul>
            {names.map((name) => (
              <li key={name}>{children(name)}</li>
            ))}
          </ul>
        </details>
      )
    })}
  </div>
)

interface RolePermissionsProps {
  bits: number
  /** The account's permissions: it can grant no others. */
  ownBits: number
  onChange: (bits: number) => void
}

/** Permissions of a role: a switch for each, with its description. */
export const RolePermissions = ({ bits, ownBits, onChange }: RolePermissionsProps) => (
  <Topics
    summary={(names) =>
      permissionWords.allowed({ n: names.filter((name) => holds(bits, name)).length, all: names.length })
    }
  >
    {(name) => (
      <label class="permission">
        <span>
          {settingsWords.permissions[name][0]}
          <small>{settingsWords.permissions[name][1]}</small>
        </span>
        <input
          type="checkbox"
          checked={holds(bits, name)}
          disabled={!holds(ownBits, name)}
          onChange={(event) => onChange(withBit(bits, name, event.currentTarget.checked))}
        />
      </label>
    )}
  </Topics>
)

export const CHOICES = ['deny', 'inherit', 'allow'] as const
export type Choice = (typeof CHOICES)[number]
const ICONS = { deny: 'close', inherit: 'minus', allow: 'check' } as const

interface ChannelPermissionsProps {
  bits: { allow: number; deny: number }
  onChange: (bits: { allow: number; deny: number }) => void
  /** The inherited permission, which applies if the channel has no overwrite. */
  inheritedOf: (name: Permission) => string
}

/** Overwrite of a role in a channel: each permission is denied, inherited or allowed. */
export const ChannelPermissions = ({ bits, onChange, inheritedOf }: ChannelPermissionsProps) => {
  const choiceOf = (name: Permission): Choice =>
    holds(bits.allow, name) ? 'allow' : holds(bits.deny, name) ? 'deny' : 'inherit'
  const isSet = (name: Permission) => choiceOf(name) !== 'inherit'
  const choose = (name: Permission, choice: Choice) =>
    onChange({
      allow: withBit(bits.allow, name, choice === 'allow'),
      deny: withBit(bits.deny, name, choice === 'deny'),
    })
  return (
    <Topics
      // A permission that channels cannot set is shown only if it is set, so that it can be reset.
      isShown={(name) => isSetInChannels(name) || isSet(name)}
      summary={(names) => permissionWords.set(names.filter(isSet).length)}
    >
      {(name) => (
        <div class="permission">
          <span>
            {settingsWords.permissions[name][0]}
            <small>{isSet(name) ? settingsWords.permissions[name][1] : inheritedOf(name)}</small>
          </span>
          <span class="segments" role="radiogroup" aria-label={settingsWords.permissions[name][0]}>
            {CHOICES.map((choice) => (
              <label key={choice} class={choice} title={permissionWords.choices[choice]}>
                <input
                  type="radio"
                  name={`permission ${name}`}
                  checked={choiceOf(name) === choice}
                  aria-label={permissionWords.choices[choice]}
                  onChange={() => choose(name, choice)}
                />
                <Icon name={ICONS[choice]} size={16} />
              </label>
            ))}
          </span>
        </div>
      )}
    </Topics>
  )
}
