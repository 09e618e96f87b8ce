import { useEffect } from 'preact/hooks'
import { nameOf } from '../../state/names.ts'
import { call, follow, state, store } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { Composer } from '../messages/composer.tsx'
import { Avatar, IconButton, statusOf } from '../kit/controls.tsx'
import { showDialog } from '../kit/dialogs.tsx'
import { MessageList } from '../messages/message-list.tsx'
import { Profile } from '../people/profile.tsx'
import { MenuButton, Pane } from '../kit/pane.tsx'

/** The conversation with an account. */
export const ConversationView = ({ user_id }: { user_id: number }) => {
  follow('members')
  useEffect(() => {
    if (state.users.has(user_id)) return
    void call('GET /api/users/:user_id', { user_id }).then(
      (user) => {
        state.users.set(user_id, user)
        store.touch('members', 'shell')
        store.notify()
      },
      () => {},
    )
  }, [user_id])
  const place = { user_id }
  const head = (
    <header class="bar">
      <MenuButton />
      <Avatar id={user_id} size={28} status />
      <h1>
        <bdi>{nameOf(user_id)}</bdi>
      </h1>
      <p class="topic">{words.status[statusOf(user_id)]}</p>
      <IconButton
        icon="more"
        label={words.profile.open}
        onClick={() => showDialog(() => <Profile user_id={user_id} />)}
      />
    </header>
  )
  return (
    <Pane title={nameOf(user_id)} head={head}>
      <div class="columns">
        <div class="conversation">
          <MessageList place={place} title={nameOf(user_id)} />
          <Composer place={place} title={nameOf(user_id)} />
        </div>
      </div>
    </Pane>
  )
}
