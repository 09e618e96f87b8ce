import { useEffect, useState } from 'preact/hooks'
import type { Server } from '../../../features/access/model.ts'
import { call, state } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import { publicWords as says } from '../../words/public-pages.ts'
import { Switch } from '../kit/dialog-forms.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'

/** Lets channels of a server be public, and search engines find them. Changes apply at once. */
export const PublicServer = ({ server }: { server: Server }) => {
  const { attempt, error } = useAttempt()
  const set = (change: { public: boolean } | { public_indexed: boolean }) =>
    void attempt(() => call('PUT /api/servers/:server_id', { server_id: server.id }, change))
  return (
    <section>
      <h3>{says.title}</h3>
      <Switch label={says.server} on={server.public} onChange={(on) => set({ public: on })} />
      <p class="quiet">{says.serverText}</p>
      {server.public ? (
        <Switch label={says.indexed} on={server.public_indexed} onChange={(on) => set({ public_indexed: on })} />
      ) : null}
      <Refusal error={error} />
    </section>
  )
}

/** Makes a channel public. The owner sees whose messages that concerns before older ones are. */
export const PublicChannel = ({ channel }: { channel: ServerChannel }) => {
  const { id: channel_id, server_id, public_since, public_older = false } = channel
  const server = state.servers.get(server_id)
  const isPublic = public_since !== undefined
  const isOwner = server?.owner_id === state.me()
  const [writers, setWriters] = useState<{ people: number; messages: number }>()
  const { attempt, error } = useAttempt()
  useEffect(() => {
    if (isPublic && isOwner)
      void attempt(() => call('GET /api/channels/:channel_id/writers', { channel_id })).then(setWriters)
  }, [isPublic, isOwner])
  const set = (change: { public: boolean } | { public_older: boolean }) =>
    void attempt(() => call('PUT /api/channels/:channel_id', { channel_id }, change))
  return (
    <section>
      <Switch label={says.channel} on={isPublic} onChange={(on) => set({ public: on })} />
      <p class="quiet">{says.channelText}</p>
      {server?.public ? null : <p>{says.serverOff}</p>}
      {isPublic && isOwner && writers ? (
        <>
          <Switch label={says.older} on={public_older} onChange={(on) => set({ public_older: on })} />
          <p class="quiet">{says.olderText({ people: String(writers.people), messages: String(writers.messages) })}</p>
        </>
      ) : null}
      {isPublic && server?.public ? (
        <a href={`/p/${server_id}/${channel_id}`} target="_blank" rel="noopener">
          {says.open}
        </a>
      ) : null}
      <Refusal error={error} />
    </section>
  )
}
