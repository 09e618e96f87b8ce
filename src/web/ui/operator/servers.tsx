import { useState } from 'preact/hooks'
import type { ServerSummary } from '../../../features/operator/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { operatorWords } from '../../words/operator.ts'
import { askToConfirm } from '../kit/ask.tsx'
import { Field } from '../kit/forms.tsx'
import { usePages } from '../kit/pages.tsx'
import { ask } from './answers.ts'
import { PagedList } from './parts.tsx'

const { servers: w } = operatorWords

/** Finding and deleting servers. */
export const ServersSection = () => {
  const [input, setInput] = useState('')
  const [q, setQ] = useState('')
  const list = usePages<ServerSummary>(
    (page, last) =>
      ask('GET /api/operator/servers', { ...page, ...(last ? { after: last.id } : {}), ...(q ? { q } : {}) }),
    q,
  )
  const search = (event: Event) => {
    event.preventDefault()
    setQ(input.trim())
  }
  const remove = ({ id, name }: ServerSummary) =>
    askToConfirm({
      title: w.deleteTitle(withoutBidi(name)),
      text: w.deleteText,
      action: w.delete,
      phrase: String(id),
      work: () => ask('DELETE /api/operator/servers/:server_id', { server_id: id }).then(list.again),
    })
  return (
    <>
      <form class="look-up" role="search" onSubmit={search}>
        <Field label={w.search} value={input} onInput={setInput} maxLength={100} />
        <button>{operatorWords.accounts.find}</button>
      </form>
      <PagedList list={list} emptyText={w.none}>
        {list.rows.map((server) => (
          <li key={server.id} class="row">
            <span>
              <strong>
                <bdi>{withoutBidi(server.name)}</bdi> <small>{server.id}</small>
              </strong>
              <small>
                {w.line({
                  owner: server.owner.username,
                  members: server.member_count,
                  channels: server.channel_count,
                })}
              </small>
            </span>
            <button
              type="button"
              class="danger"
              aria-label={w.deleteTitle(withoutBidi(server.name))}
              onClick={() => remove(server)}
            >
              {w.delete}
            </button>
          </li>
        ))}
      </PagedList>
    </>
  )
}
