import { z } from 'zod'
import { isVisible } from '../../core/visible.ts'
import type { Component, Components } from '../../features/messages/components.ts'

// Rows of buttons and selects, in both directions.

/** Discord's numbers of component types. */
const ROW = 1
export const BUTTON = 2
/** Discord's numbers of selects, by what one chooses among. */
export const SELECTS = { string: 3, user: 5, role: 6, channel: 8 } as const
/** A select of people and roles; Parley's chooses among people. */
const MENTIONABLE_SELECT = 7

/** The kind of a select, by Discord's number of its type; undefined for other components. */
export function chosenAmong(type: number): keyof typeof SELECTS | undefined {
  const [name] = Object.entries(SELECTS).find(([, number]) => number === type) ?? []
  return type === MENTIONABLE_SELECT ? 'user' : (name as keyof typeof SELECTS | undefined)
}
const STYLES = ['primary', 'secondary', 'success', 'danger'] as const
const LINK_STYLE = 5

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
  const of = chosenAmong(type)
  const options = (body.options ?? []).map(({ label, value, description }) => ({
    label,
    value,
    description: description ?? '',
  }))
  return {
    type: 'select',
    of,
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
