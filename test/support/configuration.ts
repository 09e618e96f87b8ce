import { z } from 'zod'
import { groups, Variables } from '../../src/environment.ts'

/** Every variable with its default and meaning, as the Markdown tables of docs/configuration.md, one a group. */
export function configurationTables(): string {
  const { properties = {} } = z.toJSONSchema(Variables, { io: 'input' })
  const parsed: Record<string, unknown> = Variables.parse({})
  // Defaults as an operator would write them: numbers parsed, everything else as text.
  const defaultOf = (name: string): unknown => {
    const schema = properties[name]
    return typeof parsed[name] === 'number' ? parsed[name] : typeof schema === 'object' ? schema.default : undefined
  }
  const row = (name: string, meaning = '') => {
    const value = defaultOf(name) ?? ''
    return `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${meaning} |`
  }
  const table = (title: string, variables: Record<string, z.ZodType>) => {
    const rows = Object.entries(variables).map(([name, { description }]) => row(name, description))
    return [`## ${title}`, '', '| variable | default | meaning |', '| --- | --- | --- |', ...rows].join('\n')
  }
  return Object.entries(groups)
    .map(([title, variables]) => table(title, variables))
    .join('\n\n')
}
