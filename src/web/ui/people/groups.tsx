import { useEffect, useState } from 'preact/hooks'
import type { Channel } from '../../../features/access/model.ts'
import { newNonce } from '../../client/nonce.ts'
import { nameOf, titleOf, withoutBidi } from '../../state/names.ts'
import { call, follow, loader, state } from '../../state/session.ts'
import { go, placePath } from '../../state/route.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { words } from '../../words/words.ts'
import { expectChannel } from '../../state/expected.ts'
import { choosePicture } from '../kit/choose-picture.ts'
import { Avatar, GroupPicture, IconButton } from '../kit/controls.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { askToConfirm } from '../kit/ask.tsx'
import { closeDialog, closeDialogs, showNote, topDialogCloser } from '../kit/dialogs.tsx'
import { Empty } from '../kit/empty.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsavedDialog } from '../kit/unsaved.ts'

/** People in a group, counting the account. */
const PEOPLE_MAX = 10

const refusals = { cannot_contact: dialogWords.groups.cannot, forbidden: dialogWords.groups.ownerAdds }

interface FriendsProps {
  without: number[]
  chosenIds: number[]
  onChange: (ids: number[]) => void
  max: number
}

/** A list in which friends can be chosen. */
const ChooseFriends = ({ without, chosenIds, onChange, max }: FriendsProps) => {
  follow('shell', 'members')
  const friends = [...state.relations].flatMap(([id, relation]) => (relation.state === 'friends' ? id : []))
  const ids = friends.filter((id) => !without.includes(id)).toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)))
  if (ids.length === 0)
    return (
      <Empty icon="friends" title={dialogWords.groups.noFriends} text={dialogWords.groups.noFriendsText}>
        <a class="button" href="/app" onClick={closeDialog}>
          {words.friends.title}
        </a>
      </Empty>
    )
  return (
    <ul class="people choose">
      {ids.map((id) => (
        <li key={id}>
          <label class="row person">
            <input
              type="checkbox"
              checked={chosenIds.includes(id)}
              disabled={!chosenIds.includes(id) && chosenIds.length >= max}
              onChange={({ currentTarget: { checked } }) =>
                onChange(checked ? [...chosenIds, id] : chosenIds.filter((other) => other !== id))
              }
            />
            <Avatar id={id} size={32} status />
            <bdi>{nameOf(id)}</bdi>
          </label>
        </li>
      ))}
    </ul>
  )
}

/** The dialog that opens a dm with one friend, or creates a group with several. */
export const NewConversation = () => {
  const [chosenIds, setChosen] = useState<number[]>([])
  const [nonce] = useState(newNonce)
  const { attempt, busy, error } = useAttempt()
  const create = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    const body = {
      recipient_ids: chosenIds,
      ...(chosenIds.length > 1 ? { nonce: `${nonce.slice(0, 20)}${chosenIds.length}` } : {}),
    }
    const channel = await attempt(() => call('POST /api/channels/direct', {}, body))
    if (!channel) return
    loader.addChannel(channel)
    closeThis()
    go(placePath(channel.id))
  }
  return (
    <Dialog title={words.groups.new} onClose={closeDialog} class="small">
      <form onSubmit={create}>
        <p class="quiet">{dialogWords.groups.newHint}</p>
        <ChooseFriends without={[]} chosenIds={chosenIds} onChange={setChosen} max={PEOPLE_MAX - 1} />
        <Refusal error={error} says={refusals} />
        <FormFooter
          submit={chosenIds.length > 1 ? dialogWords.groups.create(chosenIds.length + 1) : dialogWords.groups.open}
          busy={busy || chosenIds.length === 0}
        />
      </form>
    </Dialog>
  )
}

/** Closes a dialog about a group that is not there any more. @returns the group */
function useGroup(channel_id: number): Channel | undefined {
  follow('shell', 'members')
  const channel = state.channels.get(channel_id)
  useEffect(() => {
    if (!channel) closeDialogs()
  }, [!channel])
  return channel
}

/** The dialog that adds friends to a group; they can read the earlier messages. */
export const AddPeople = ({ channel_id }: { channel_id: number }) => {
  const channel = useGroup(channel_id)
  const [chosenIds, setChosen] = useState<number[]>([])
  const { attempt, busy, error } = useAttempt()
  if (!channel) return null
  const here = (channel.recipients ?? []).map(({ id }) => id)
  const add = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    const isAdded = await attempt(async () => {
      for (const user_id of chosenIds) {
        await call('PUT /api/channels/:channel_id/recipients/:user_id', { channel_id, user_id })
        setChosen((before) => before.filter((id) => id !== user_id))
      }
      return true
    })
    if (isAdded) closeThis()
  }
  return (
    <Dialog title={words.groups.add} onClose={closeDialog} class="small">
      <form onSubmit={add}>
        <p class="warned">{dialogWords.groups.history}</p>
        <ChooseFriends without={here} chosenIds={chosenIds} onChange={setChosen} max={PEOPLE_MAX - here.length} />
        <Refusal error={error} says={refusals} />
        <FormFooter submit={words.groups.add} busy={busy || chosenIds.length === 0} />
      </form>
    </Dialog>
  )
}

/** The name, picture and people of a group, and the button to leave it. */
export const GroupSettings = ({ channel_id }: { channel_id: number }) => {
  const channel = useGroup(channel_id)
  const [name, setName] = useState(channel?.name ?? '')
  const { close, markSaved } = useUnsavedDialog(name)
  const { attempt, busy, error } = useAttempt()
  if (!channel) return null
  const update = (body: { name?: string; icon_file_id?: number | null }) =>
    call('PUT /api/channels/:channel_id', { channel_id }, body)
  const save = async (event: Event) => {
    event.preventDefault()
    if (!(await attempt(() => expectChannel(channel_id, { name }, () => update({ name }))))) return
    markSaved()
    showNote(words.saved)
  }
  return (
    <Dialog title={words.groups.settings} onClose={close} class="small">
      <form onSubmit={save}>
        <div class="row">
          <GroupPicture channel={channel} size={72} />
          <span class="choices">
            <button
              type="button"
              onClick={() => choosePicture((icon_file_id) => attempt(() => update({ icon_file_id })), attempt)}
            >
              {dialogWords.picture.choose}
            </button>
            {channel.icon_file_id === null ? null : (
              <button type="button" onClick={() => void attempt(() => update({ icon_file_id: null }))}>
                {dialogWords.picture.remove}
              </button>
            )}
          </span>
        </div>
        <Field label={dialogWords.groups.name} value={name} onInput={setName} maxLength={100} />
        <small class="quiet">{dialogWords.groups.nameHint}</small>
        <Refusal error={error} />
        <FormFooter submit={words.save} busy={busy} />
      </form>
      <People channel={channel} />
      <section class="danger-zone">
        <button type="button" class="danger" onClick={() => askToLeave(channel)}>
          {dialogWords.groups.leave}
        </button>
      </section>
    </Dialog>
  )
}

/** Members of a group. The owner can remove them. */
const People = ({ channel }: { channel: Channel }) => {
  const { attempt, error } = useAttempt()
  const { id: channel_id, owner_id } = channel
  const remove = (user_id: number) =>
    attempt(() => call('DELETE /api/channels/:channel_id/recipients/:user_id', { channel_id, user_id }))
  return (
    <>
      <h3>{words.groups.people(channel.recipients?.length ?? 0)}</h3>
      <ul class="people">
        {(channel.recipients ?? []).map(({ id }) => (
          <li key={id} class="row person" data-menu={`person ${id} 0`}>
            <Avatar id={id} size={32} />
            <span>
              <bdi>{nameOf(id)}</bdi>
              {id === owner_id ? <small>{words.owner}</small> : null}
            </span>
            {owner_id === state.me() && id !== owner_id ? (
              <IconButton
                icon="close"
                size={16}
                label={dialogWords.groups.remove(nameOf(id))}
                onClick={() => void remove(id)}
              />
            ) : null}
          </li>
        ))}
      </ul>
      <Refusal error={error} />
    </>
  )
}

/** Leaves a group after a confirmation. */
function askToLeave(channel: Channel): void {
  askToConfirm({
    title: dialogWords.groups.leave,
    text: dialogWords.groups.leaveText(withoutBidi(titleOf(channel))),
    action: dialogWords.groups.leave,
    work: async () => {
      const ids = { channel_id: channel.id, user_id: state.me() }
      await call('DELETE /api/channels/:channel_id/recipients/:user_id', ids)
      closeDialogs()
      go('/app')
    },
  })
}
