import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Server } from '../../../features/access/model.ts'
import { call, follow, loader, state } from '../../state/session.ts'
import { channelPath, go } from '../../state/route.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { firstWords } from '../../words/first-steps.ts'
import { words } from '../../words/words.ts'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog } from '../kit/dialogs.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { Icon } from '../kit/icons.tsx'
import { ChooseChannels, InviteFirst, ServerPicture } from './server-setup.tsx'
import { invitePathIn, TEMPLATE_ICONS, type TemplateName } from './templates.ts'

const { setup, templates } = firstWords
const STEPS = ['name', 'picture', 'channels', 'invite'] as const
type Step = (typeof STEPS)[number]

/** The dialog that creates a server and leads its owner through the first steps, or opens an invite. */
export const NewServer = ({ template: initialTemplate }: { template: TemplateName }) => {
  follow('shell')
  const [template, setTemplate] = useState(initialTemplate)
  const [created, setCreated] = useState<Server>()
  const [step, setStep] = useState<Step>('name')
  const server = created && (state.servers.get(created.id) ?? created)
  // The page of the server closes the dialog.
  const leave = () => (server ? go(channelPath(server.id)) : closeDialog())
  const next = () => setStep(STEPS[STEPS.indexOf(step) + 1] ?? step)
  return (
    <Dialog title={server ? server.name : words.servers.add} onClose={leave} class="small setup">
      {server ? (
        <SetupStep key={step} step={step}>
          {step === 'picture' ? <ServerPicture server={server} onDone={next} /> : null}
          {step === 'channels' ? <ChooseChannels server={server} template={template} onDone={next} /> : null}
          {step === 'invite' ? <InviteFirst server={server} onDone={leave} /> : null}
        </SetupStep>
      ) : (
        <NameStep
          template={template}
          onTemplate={setTemplate}
          onMade={(fresh) => {
            setCreated(fresh)
            next()
          }}
        />
      )}
    </Dialog>
  )
}

/** One step, below the list of all; its heading gets the focus. */
const SetupStep = ({ step, children }: { step: Step; children: preact.ComponentChildren }) => {
  const section = useRef<HTMLElement>(null)
  useLayoutEffect(() => section.current?.focus(), [])
  return (
    <section ref={section} tabIndex={-1} aria-label={setup.steps[step]}>
      <ol class="steps" aria-label={setup.progress}>
        {STEPS.map((each) => (
          <li
            key={each}
            class={STEPS.indexOf(each) < STEPS.indexOf(step) ? 'done' : ''}
            aria-current={each === step ? 'step' : undefined}
          >
            {setup.steps[each]}
          </li>
        ))}
      </ol>
      {children}
    </section>
  )
}

interface NameStepProps {
  template: TemplateName
  onTemplate: (template: TemplateName) => void
  onMade: (server: Server) => void
}

const NameStep = ({ template, onTemplate, onMade }: NameStepProps) => {
  const [name, setName] = useState('')
  const [link, setLink] = useState('')
  const { attempt, busy, error } = useAttempt()
  const create = async (event: Event) => {
    event.preventDefault()
    const server = await attempt(() => call('POST /api/servers', {}, { name }))
    if (!server) return
    loader.addServer(server)
    onMade(server)
  }
  const join = (event: Event) => {
    event.preventDefault()
    closeDialog()
    go(invitePathIn(link))
  }
  return (
    <>
      <form onSubmit={create}>
        <Field
          label={words.servers.name}
          value={name}
          onInput={setName}
          maxLength={100}
          placeholder={templates[template].example}
          required
          autofocus
        />
        <fieldset class="templates">
          <legend>{setup.whom}</legend>
          {Object.entries(templates).map(([key, { title, text }]) => (
            <label key={key}>
              <input
                type="radio"
                name="template"
                checked={key === template}
                onChange={() => onTemplate(key as TemplateName)}
              />
              <Icon name={TEMPLATE_ICONS[key as TemplateName]} />
              <span>
                {title}
                <small>{text}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <Refusal error={error} />
        <FormFooter submit={dialogWords.servers.create} busy={busy} />
      </form>
      <hr />
      <form class="beside" onSubmit={join}>
        <Field
          label={dialogWords.invite.have}
          value={link}
          onInput={setLink}
          placeholder={dialogWords.invite.example}
          required
        />
        <button>{dialogWords.invite.open}</button>
      </form>
    </>
  )
}
