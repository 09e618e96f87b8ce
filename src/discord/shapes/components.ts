import { z } from 'zod'
import { isVisible } from '../../core/visible.ts'
import type { Component, Components } from '../../features/messages/components.ts'

// Rows of buttons and selects, and modals, in both directions.

/** Discord's numbers of component types. */
const ROW = 1
const BUTTON = 2
const TEXT_INPUT = 4
const TEXT = 10
const LABEL = 18
const SELECTS = { string: 3, user: 5, role: 6, channel: 8 } as const
/** A select of people and roles; Parley's chooses among people. */
const MENTIONABLE_SELECT = 7
const STYLES = ['primary', 'secondary', 'success', 'danger'] as const
const LINK_STYLE = 5

/** The number of a component's type. */
export const typeOf = (component: Component): number => (component.type === 'select' ? SELECTS[component.of] : BUTTON)

function discordComponent(component: Component) {
  if (component.type === 'link') return { type: BUTTON, style: LINK_STYLE, label: component.label, url: component.url }
  const { custom_id, disabled } = component
  if (component.type === 'button')
    return { type: BUTTON, style: STYLES.indexOf(component.style) + 1, label: component.label, custom_id, disabled }
  const { placeholder, min, max, options } = component
  return {
    type: SELECTS[component.of],
    custom_id,
    disabled,
    placeholder: placeholder || undefined,
    min_values: min,
    max_values: max,
    ...(component.of === 'string'
      ? {
          options: options.map(({ label, value, description }) => ({
            label,
            value,
            description: description || undefined,
          })),
        }
      : {}),
  }
}

/** Each component has a number that tells it from the others of its message. */
export const discordComponents = (rows: Components) => {
  let id = 0
  return rows.map((row) => ({
    type: ROW,
    id: ++id,
    components: row.map((component) => ({ ...discordComponent(component), id: ++id })),
  }))
}

const Emoji = z.object({ name: z.string().nullish() }).nullish()
const ComponentBody = z.object({
  type: z.int(),
  style: z.int().optional(),
  label: z.string().nullish(),
  emoji: Emoji,
  custom_id: z.string().optional(),
  url: z.string().nullish(),
  disabled: z.boolean().nullish(),
  placeholder: z.string().nullish(),
  min_values: z.int().nullish(),
  max_values: z.int().nullish(),
  options: z
    .array(z.object({ label: z.string(), value: z.string(), description: z.string().nullish(), emoji: Emoji }))
    .nullish(),
})
type ComponentBody = z.infer<typeof ComponentBody>
export const ComponentRows = z.array(z.object({ type: z.int(), components: z.array(ComponentBody) }))

/** Bots write blank labels of zero width, which Parley refuses. */
const BLANK = '·'

/** A button's emoji stands before its label. */
function labelled(label: string | null | undefined, emoji: z.infer<typeof Emoji>): string {
  const text = [emoji?.name, label].filter(Boolean).join(' ')
  return isVisible(text) ? text : BLANK
}

function parleyComponent(body: ComponentBody) {
  const { type, style, custom_id } = body
  const disabled = body.disabled ?? false
  if (type === BUTTON) {
    const label = labelled(body.label, body.emoji)
    if (style === LINK_STYLE) return { type: 'link', label, url: body.url ?? '' }
    return { type: 'button', style: STYLES[(style ?? 2) - 1] ?? 'secondary', label, custom_id, disabled }
  }
  const [of] = Object.entries(SELECTS).find(([, number]) => number === type) ?? []
  const options = (body.options ?? []).map(({ label, value, description }) => ({
    label,
    value,
    description: description ?? '',
  }))
  return {
    type: 'select',
    of: type === MENTIONABLE_SELECT ? 'user' : of,
    custom_id,
    disabled,
    placeholder: body.placeholder ?? '',
    min: body.min_values ?? 1,
    max: body.max_values ?? 1,
    options: of === 'string' ? options : [],
  }
}

/** Rows as Parley's API takes them, which validates them. */
export const parleyComponents = (rows: z.infer<typeof ComponentRows>) =>
  rows.map(({ components }) => components.map(parleyComponent))

const InputBody = z.object({
  type: z.literal(TEXT_INPUT, 'Parley has only text inputs in modals'),
  custom_id: z.string(),
  label: z.string().nullish(),
  style: z.int().optional(),
  required: z.boolean().nullish(),
  max_length: z.int().nullish(),
  value: z.string().nullish(),
})
/** A modal: rows of one text input, labels around one, or texts, which are left out. */
export const ModalBody = z.object({
  custom_id: z.string(),
  title: z.string(),
  components: z.array(
    z.union([
      z.object({ type: z.literal(ROW), components: z.array(InputBody).length(1) }),
      z.object({ type: z.literal(LABEL), label: z.string(), component: InputBody }),
      z.object({ type: z.literal(TEXT) }),
    ]),
  ),
})

/** A modal as Parley's API takes it. */
export const parleyModal = ({ custom_id, title, components }: z.infer<typeof ModalBody>): unknown => ({
  custom_id,
  title,
  inputs: components.flatMap((holder) => {
    if (holder.type === TEXT) return []
    const input = holder.type === LABEL ? holder.component : holder.components[0]
    if (!input) return []
    return {
      custom_id: input.custom_id,
      label: (holder.type === LABEL ? holder.label : input.label) ?? '',
      style: input.style === 2 ? 'paragraph' : 'short',
      required: input.required ?? true,
      max: input.max_length ?? 4000,
      value: input.value ?? '',
    }
  }),
})

/** The fields of a modal that a person submitted. */
export const submittedFields = (fields: Record<string, string>) =>
  Object.entries(fields).map(([custom_id, value]) => ({
    type: ROW,
    components: [{ type: TEXT_INPUT, custom_id, value }],
  }))

/** The component of a message with this custom id. */
export const componentWith = (rows: Components, custom_id: string): Component | undefined =>
  rows.flat().find((component) => component.type !== 'link' && component.custom_id === custom_id)
