import type { Token } from '@messageformat/parser'
import { type Message, styleOf } from './message.ts'

/** A part of a message: text, or an expression. A template turns an expression that is no text into text. */
type Part = { text: string } | { code: string; isText: boolean }
type Cases = Extract<Token, { cases: unknown }>

/** A string literal in the quotes that the formatter chooses. */
export function literal(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  return quote + escaped(text).replaceAll(quote, `\\${quote}`) + quote
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')

/** The expression of parts: a literal, one of the expressions, or a template. */
function joined(parts: Part[]): string {
  const [first] = parts
  if (parts.every((part) => 'text' in part)) return literal(parts.map(({ text }) => text).join(''))
  if (parts.length === 1 && first && 'code' in first && first.isText) return first.code
  const inner = parts.map((part) =>
    'text' in part ? escaped(part.text).replace(/`|\$\{/g, '\\$&') : `\${${part.code}}`,
  )
  return `\`${inner.join('')}\``
}

const conditionOf = (name: string, key: string): string => {
  if (key === 'true') return name
  if (key === 'false') return `!${name}`
  return `${name} === ${key === 'undefined' ? key : literal(key)}`
}

const indexOfSign = (tokens: Token[]): number => tokens.findIndex(({ type }) => type === 'octothorpe')

/**
 * Prints messages as expressions that call functions of src/web/words/plural.ts. The placeholders are variables. The
 * formatter wraps long lines afterwards.
 */
export class ExpressionPrinter {
  /** Names of the functions that the expressions call. */
  readonly called = new Set<string>()
  #names = new Set<string>()

  /** @returns the expression, and the placeholders that it reads */
  print({ tokens }: Message): { code: string; names: Set<string> } {
    this.#names = new Set()
    return { code: joined(this.#parts(tokens, '')), names: this.#names }
  }

  #read(name: string): string {
    this.#names.add(name)
    return name
  }

  #call(name: string, ...values: string[]): string {
    this.called.add(name)
    return `${name}(${values.join(', ')})`
  }

  /** @param counted the value that # stands for */
  #parts(tokens: Token[], counted: string): Part[] {
    return tokens.map((token): Part => {
      if (token.type === 'content') return { text: token.value }
      if (token.type === 'argument') return { code: this.#read(token.arg), isText: true }
      if (token.type === 'octothorpe') return { code: this.#call('digits', this.#read(counted)), isText: true }
      if (token.type === 'function') return this.#formatted(this.#read(token.arg), token.key, styleOf(token))
      return { code: token.type === 'plural' ? this.#plural(token) : this.#select(token, counted), isText: true }
    })
  }

  #formatted(name: string, key: string, style: string): Part {
    if (style === 'plain') return { code: name, isText: false }
    const numbers = style === 'badge' ? 'badge' : 'digits'
    const durations = style === 'relative' ? 'soon' : 'spanOf'
    return {
      code: this.#call(key === 'list' ? 'listOf' : key === 'duration' ? durations : numbers, name),
      isText: true,
    }
  }

  #select({ arg, cases }: Cases, counted: string): string {
    const codeOf = (tokens: Token[] = []) => joined(this.#parts(tokens, counted))
    const named = cases.filter(({ key }) => key !== 'other')
    const conditions = named.map(({ key, tokens }) => `${conditionOf(this.#read(arg), key)} ? ${codeOf(tokens)} : `)
    return conditions.join('') + codeOf(cases.find(({ key }) => key === 'other')?.tokens)
  }

  #plural({ arg, cases }: Cases): string {
    const isExact = ({ key }: { key: string }) => key.startsWith('=')
    const conditions = cases
      .filter(isExact)
      .map(({ key, tokens }) => `${this.#read(arg)} === ${key.slice(1)} ? ${joined(this.#parts(tokens, arg))} : `)
    const forms = cases.filter((each) => !isExact(each)).map(({ tokens }) => tokens)
    return conditions.join('') + this.#forms(arg, forms)
  }

  /**
   * The forms of a plural. `count` replaces the first # of the form, so nothing that a value could bring along may
   * stand before it; else `choose` returns the form as it is.
   */
  #forms(name: string, forms: Token[][]): string {
    const [first] = forms
    if (
      first &&
      forms.every((tokens) => tokens.map(({ ctx }) => ctx.text).join() === first.map(({ ctx }) => ctx.text).join())
    )
      return joined(this.#parts(first, name))
    const canCount = forms.every((tokens) => {
      const at = indexOfSign(tokens)
      const before = at === -1 ? tokens : tokens.slice(0, at)
      return before.every((token) => token.type === 'content' && !token.value.includes('#'))
    })
    if (!canCount)
      return this.#call('choose', this.#read(name), ...forms.map((tokens) => joined(this.#parts(tokens, name))))
    return this.#call('count', this.#read(name), ...forms.map((tokens) => this.#withSign(tokens, name)))
  }

  /** A form with the sign # in place of its number. */
  #withSign(tokens: Token[], name: string): string {
    const at = indexOfSign(tokens)
    if (at === -1) return joined(this.#parts(tokens, name))
    return joined([
      ...this.#parts(tokens.slice(0, at), name),
      { text: '#' },
      ...this.#parts(tokens.slice(at + 1), name),
    ])
  }
}
