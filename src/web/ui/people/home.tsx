import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { nameOf } from '../../state/names.ts'
import { go } from '../../state/route.ts'
import { follow, state } from '../../state/session.ts'
import { firstWords } from '../../words/first-steps.ts'
import { Field } from '../kit/forms.tsx'
import { Icon, type IconName } from '../kit/icons.tsx'
import { invitePathIn, TEMPLATE_ICONS, type TemplateName } from '../server/templates.ts'
import { showNewServer } from '../server/show-server.tsx'

const { home, templates } = firstWords

/** First page of an account without servers, friends and conversations: suggests next steps. */
export const Home = ({ onFind }: { onFind: () => void }) => {
  follow('shell', 'members')
  const [link, setLink] = useState('')
  const join = (event: Event) => {
    event.preventDefault()
    go(invitePathIn(link))
  }
  return (
    <div class="home">
      <h2>{home.title(nameOf(state.me()))}</h2>
      <p class="quiet">{home.text}</p>
      <Card icon="add" title={home.make} text={home.makeText}>
        <ul class="templates">
          {Object.entries(templates).map(([name, template]) => (
            <li key={name}>
              <button type="button" onClick={() => void showNewServer(name as TemplateName)}>
                <Icon name={TEMPLATE_ICONS[name as TemplateName]} />
                <span>
                  {template.title}
                  <small>{template.text}</small>
                </span>
                <Icon name="next" size={16} />
              </button>
            </li>
          ))}
        </ul>
      </Card>
      <div class="pair">
        <Card icon="link" title={home.join} text={home.joinText}>
          <form class="beside" onSubmit={join}>
            <Field label={home.link} value={link} onInput={setLink} required />
            <button>{home.open}</button>
          </form>
        </Card>
        <Card icon="friends" title={home.find} text={home.findText}>
          <button type="button" onClick={onFind}>
            <Icon name="search" size={16} /> {home.find}
          </button>
        </Card>
      </div>
    </div>
  )
}

interface CardProps {
  icon: IconName
  title: string
  text: string
  children: ComponentChildren
}

const Card = ({ icon, title, text, children }: CardProps) => (
  <section>
    <header>
      <span class="sign">
        <Icon name={icon} />
      </span>
      <span>
        <h3>{title}</h3>
        <p>{text}</p>
      </span>
    </header>
    {children}
  </section>
)
