import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Server } from '../../../features/access/model.ts'
import { follow, state } from '../../state/session.ts'
import { channelPath, go } from '../../state/route.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { firstWords } from '../../words/first-steps.ts'
import { words } from '../../words/words.ts'
import { Dialog } from '../kit/dialog.tsx'
import { chooseFiles } from '../kit/choose-files.ts'
import { closeDialog, showNote } from '../kit/dialogs.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Field } from '../kit/forms.tsx'
import { Icon } from '../kit/icons.tsx'
import { ChooseChannels, FirstRules, InviteFirst, ServerPicture } from './server-setup.tsx'
import { type ServerTemplate, suggestionsOf, templateIn } from './new-template.ts'
import { invitePathIn, TEMPLATE_ICONS, type TemplateName } from './templates.ts'

const { setup, templates } = firstWords
const STEPS = ['name', 'channels', 'picture', 'rules', 'invite'] as const
type Step = (typeof STEPS)[number]

/** The dialog that creates a server and leads its owner through the first steps, or opens an invite. */
export const NewServer = ({ template: initialTemplate }: { template: TemplateName }) => {
  follow('shell')
  const [template, setTemplate] = useState<TemplateName>(initialTemplate)
  const [file, setFile] = useState<ServerTemplate>()
  const [name, setName] = useState('')
  const [created, setCreated] = useState<Server>()
  const [step, setStep] = useState<Step>('name')
  const server = created && (state.servers.get(created.id) ?? created)
  // The page of the server closes the dialog.
  const leave = () => (server ? go(channelPath(server.id)) : closeDialog())
  const next = () => {
    // A template from a file may have rules.
    const steps = STEPS.filter((each) => each === step || each !== 'rules' || server?.rules_version === null)
    setStep(steps[steps.indexOf(step) + 1] ?? step)
  }
  const onMade = (fresh: Server) => {
    setCreated(fresh)
    setStep('picture')
  }
  return (
    <Dialog title={server ? server.name : words.servers.add} onClose={leave} class="small setup">
      {step === 'name' ? (
        <NameStep
          {...{ name, template, file }}
          onName={setName}
          onTemplate={(chosen) => (setTemplate(chosen), setFile(undefined))}
          onFile={setFile}
          onDone={next}
        />
      ) : (
        <SetupStep key={step} step={step}>
          {step === 'channels' ? (
            <ChooseChannels name={name} suggestions={suggestionsOf(template)} template={file} onMade={onMade} />
          ) : null}
          {server && step === 'picture' ? <ServerPicture server={server} onDone={next} /> : null}
          {server && step === 'rules' ? <FirstRules server={server} onDone={next} /> : null}
          {server && step === 'invite' ? <InviteFirst server={server} onDone={leave} /> : null}
        </SetupStep>
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
  name: string
  template: TemplateName
  /** A template from a file, instead of a built-in one. */
  file: ServerTemplate | undefined
  onName: (name: string) => void
  onTemplate: (template: TemplateName) => void
  onFile: (template: ServerTemplate) => void
  onDone: () => void
}

const NameStep = ({ name, template, file, onName, onTemplate, onFile, onDone }: NameStepProps) => {
  const [link, setLink] = useState('')
  const join = (event: Event) => {
    event.preventDefault()
    closeDialog()
    go(invitePathIn(link))
  }
  const choose = () =>
    chooseFiles({ accept: 'application/json,.json' }, async ([chosen]) => {
      const next = chosen && (await templateIn(chosen))
      if (next) onFile(next)
      else showNote(setup.fileWrong)
    })
  return (
    <>
      <form onSubmit={(event) => (event.preventDefault(), onDone())}>
        <Field
          label={words.servers.name}
          value={name}
          onInput={onName}
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
                checked={file === undefined && key === template}
                onChange={() => onTemplate(key as TemplateName)}
              />
              <Icon name={TEMPLATE_ICONS[key as TemplateName]} />
              <span>
                {title}
                <small>{text}</small>
              </span>
            </label>
          ))}
          <label>
            <input type="radio" name="template" checked={file !== undefined} onClick={choose} />
            <Icon name="download" />
            <span>
              {setup.file}
              <small>{setup.fileText}</small>
            </span>
          </label>
        </fieldset>
        <FormFooter submit={setup.next} busy={false} />
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
