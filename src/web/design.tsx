import { type ComponentChildren, render } from 'preact'
import { useState } from 'preact/hooks'
import { Call, Forms, Part, Waiting } from './design-states.tsx'
import { Badge, IconButton, Picture } from './ui/kit/controls.tsx'
import { askToConfirm } from './ui/kit/ask.tsx'
import { Dialogs, Note, showNote } from './ui/kit/dialogs.tsx'
import { Field } from './ui/kit/forms.tsx'
import { Icon, iconNames } from './ui/kit/icons.tsx'
import { Brand } from './ui/kit/mark.tsx'
import { Menu } from './ui/kit/menu.tsx'
import { showMenu } from './ui/kit/open-menu.tsx'

/** Every control in every state, for those who change the client. Served in development only. */
const SURFACES = ['rail', 'side', 'ground', 'raised', 'field', 'code', 'accent-soft', 'called', 'danger-soft']
const SIZES = ['display', 'heading', 'title', 'text', 'row', 'label', 'meta', 'badge']
const TEXTS = ['text', 'quiet', 'faint', 'accent', 'warm-text', 'danger', 'online-text']
const PEOPLE = [
  'Alice Winter',
  'Bob',
  'Carol',
  'Dóra',
  'Emil',
  'Farid Haddad',
  'Greta',
  'Hiro',
  'Ines',
  'Jonas',
  'Kim',
  'Lea',
]
const ITEMS = [
  { name: 'reply', icon: 'reply', label: 'Reply', key: 'r', run: () => {} },
  { name: 'edit', icon: 'edit', label: 'Edit message', key: 'e', run: () => {} },
  { name: 'delete', icon: 'trash', label: 'Delete message', isDangerous: true, run: () => {} },
] as const

const Buttons = () => (
  <Part title="Buttons: at rest, pressed, disabled">
    <p class="choices">
      <button class="primary">Save changes</button>
      <button>Cancel</button>
      <button class="danger">Delete server</button>
      <button class="link">Try again</button>
    </p>
    <p class="choices">
      <button class="primary" disabled>
        Save changes
      </button>
      <button disabled>Cancel</button>
      <button class="danger" disabled>
        Delete server
      </button>
    </p>
    <p class="choices">
      <IconButton icon="search" label="At rest" onClick={() => {}} />
      <IconButton icon="members" label="Pressed" pressed onClick={() => {}} />
      <IconButton icon="pin" label="Disabled" disabled onClick={() => {}} />
      <button type="button" onClick={() => showNote('Saved.')}>
        Show a note
      </button>
      <button
        type="button"
        onClick={() => askToConfirm({ title: 'Leave?', text: 'Others stay.', action: 'Leave', work: async () => {} })}
      >
        Ask
      </button>
      <button
        type="button"
        onClick={({ currentTarget }) => showMenu({ label: 'A menu', opener: currentTarget, items: [...ITEMS] })}
      >
        Open a menu
      </button>
    </p>
    <p class="tabs">
      <button aria-pressed="true">Overview</button>
      <button aria-pressed="false">Roles</button>
      <button aria-pressed="false">Invites</button>
    </p>
  </Part>
)

const Fields = () => {
  const [name, setName] = useState('Birdwatchers')
  return (
    <Part title="Fields: filled, empty, disabled, refused">
      <div class="pair">
        <Field label="Name" value={name} onInput={setName} hint="Everybody sees it." />
        <Field label="Topic" value="" onInput={() => {}} placeholder="What it is about" />
        <Field label="Description" value={name} onInput={setName} multiline />
        <label class="field">
          <span>Who may write</span>
          <select>
            <option>Everybody</option>
            <option>Wardens</option>
          </select>
        </label>
      </div>
      <div class="refusal">This name is taken.</div>
      <p class="choices">
        <label>
          <input type="checkbox" checked /> Chosen
        </label>
        <label>
          <input type="checkbox" /> Not chosen
        </label>
        <label>
          <input type="radio" name="one" checked /> Light
        </label>
        <label>
          <input type="radio" name="one" /> Dark
        </label>
        <input type="range" aria-label="Volume" />
        <input type="color" aria-label="Colour" value="#c0562b" />
        <kbd>Ctrl K</kbd>
        <Badge count={3} />
        <Badge count={140} />
      </p>
    </Part>
  )
}

const ROWS: [style: string, name: string, count: number][] = [
  ['', 'read', 0],
  ['unread', 'unread', 0],
  ['unread', 'unread, mentions me', 2],
  ['here', 'open', 0],
  ['muted', 'muted', 0],
]

const Rows = () => (
  <Part title="Rows of the sidebar">
    <div class="sidebar">
      <ul>
        {ROWS.map(([style, name, count]) => (
          <li key={name} class={`row ${style}`}>
            <a href="#rows">
              <Icon name="hash" size={18} />
              <bdi>{name}</bdi>
              <Badge count={count} />
            </a>
          </li>
        ))}
      </ul>
    </div>
  </Part>
)

const Message = ({ style = '', children }: { style?: string; children: ComponentChildren }) => (
  <li class={`message ${style}`}>
    {style.includes('continued') ? (
      <time class="gutter">17:02</time>
    ) : (
      <>
        <span class="gutter">
          <Picture id={2} name="Bob" file_id={null} size={40} />
        </span>
        <div class="byline">
          <span class="name">Bob</span>
          <time>17:02</time>
        </div>
      </>
    )}
    <div class="body rich">{children}</div>
  </li>
)

const Messages = () => (
  <Part title="Messages: first, continued, for me, refused">
    <ul>
      <Message>
        A kingfisher, twice. <code>1080p</code>, <span class="mention">@Carol</span>
        <div class="reactions">
          <span class="reaction">
            <button aria-pressed="true">👏 4</button>
          </span>
          <span class="reaction">
            <button aria-pressed="false">🐦 2</button>
          </span>
        </div>
      </Message>
      <Message style="continued">Same branch.</Message>
      <Message style="called">
        <span class="mention mine">@Alice</span> can you bring the telescope?
      </Message>
      <Message style="refused">
        <p class="refusal">It was not sent.</p>
      </Message>
      <li class="message">
        <p class="rule new">
          <b>New</b>
        </p>
      </li>
    </ul>
  </Part>
)

const Design = () => (
  <main class="page scroll design">
    <Brand />
    <h1 class="hidden">Every control</h1>
    <Part title="Type">
      {SIZES.map((size) => (
        <p key={size} style={{ fontSize: `var(--type-${size})` }}>
          {size} · Hamburgefonstiv 0123 · Żółć Ğ · Щука · Ωμέγα
        </p>
      ))}
      <p>
        {TEXTS.map((name) => (
          <span key={name} style={{ color: `var(--${name})`, marginRight: '14px' }}>
            {name}
          </span>
        ))}
      </p>
    </Part>
    <Part title="Surfaces and people">
      <p class="choices">
        {SURFACES.map((name) => (
          <span key={name} class="surface" style={{ background: `var(--${name})` }}>
            {name}
          </span>
        ))}
      </p>
      <p class="choices">
        {PEOPLE.map((name, id) => (
          <Picture key={name} id={id} name={name} file_id={null} size={40} />
        ))}
      </p>
    </Part>
    <Buttons />
    <Fields />
    <Rows />
    <Messages />
    <Forms />
    <Waiting />
    <Call />
    <Part title="Icons">
      <p class="choices">
        {iconNames().map((name) => (
          <span key={name} title={name}>
            <Icon name={name} />
          </span>
        ))}
      </p>
    </Part>
    <Dialogs />
    <Menu />
    <Note />
  </main>
)

const root = document.getElementById('app')
if (root) render(<Design />, root)
