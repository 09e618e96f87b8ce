import { parseSync } from 'oxc-parser'

/** A name that a file declares, and how: the rules differ. */
export interface Declared {
  name: string
  kind: 'variable' | 'parameter' | 'member' | 'function' | 'type'
  /** True if its value is certainly a boolean: by its type, or by the expression that it begins with. */
  isBoolean: boolean
  line: number
}

/** A comment, a title of a test, or a string of the program. */
export interface Prose {
  text: string
  line: number
}

export interface ParsedSource {
  declared: Declared[]
  /** Names that the file destructures or writes as shorthand properties, so that a variable may have them. */
  fields: Set<string>
  /** Properties of types and of object literals. */
  properties: { name: string; line: number }[]
  /** The words in snake_case of strings and templates, SQL included. */
  snakeWords: Set<string>
  comments: Prose[]
  titles: Prose[]
  strings: Prose[]
}

/** A node of the tree, of which only what the rules need is described. */
type Node = Record<string, any>

const BOOLEAN_OPERATOR = /^(?:[=!]==?|[<>]=?|in|instanceof)$/
const BOOLEAN_METHOD = /^(?:some|every|includes|has|startsWith|endsWith|test)$/
const TESTS = /^(?:test|describe|browserTest)\b/

function isBooleanValue(node: Node | null | undefined): boolean {
  if (!node) return false
  if (node.type === 'Literal') return typeof node.value === 'boolean'
  if (node.type === 'UnaryExpression') return node.operator === '!'
  if (node.type === 'BinaryExpression') return BOOLEAN_OPERATOR.test(node.operator)
  if (node.type === 'LogicalExpression')
    return node.operator !== '??' && isBooleanValue(node.left) && isBooleanValue(node.right)
  return node.type === 'CallExpression' && BOOLEAN_METHOD.test(node.callee.property?.name ?? '')
}

const isBooleanType = (node: Node): boolean => node.typeAnnotation?.typeAnnotation?.type === 'TSBooleanKeyword'

/** Declarations and prose of a TypeScript file. @throws Error if it does not parse */
export function parseSource(file: string, text: string): ParsedSource {
  const { program, comments, errors } = parseSync(file, text)
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const lineAt = (offset: number): number => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? Infinity) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
  const found: ParsedSource = {
    declared: [],
    fields: new Set(),
    properties: [],
    snakeWords: new Set(),
    comments: [],
    titles: [],
    strings: [],
  }
  for (const { value, start } of comments) found.comments.push({ text: value, line: lineAt(start) })
  const declare = (kind: Declared['kind'], { name, start }: Node, isBoolean = false) =>
    found.declared.push({ name, kind, isBoolean, line: lineAt(start) })

  /** Declares the names of a parameter or of the left side of a variable. */
  function bind(kind: Declared['kind'], pattern: Node | null, isBoolean = false): void {
    if (pattern === null) return
    if (pattern.type === 'Identifier') declare(kind, pattern, isBoolean || isBooleanType(pattern))
    else if (pattern.type === 'AssignmentPattern') bind(kind, pattern.left, isBooleanValue(pattern.right))
    else if (pattern.type === 'RestElement') bind(kind, pattern.argument)
    else if (pattern.type === 'TSParameterProperty') bind('member', pattern.parameter)
    else if (pattern.type === 'ArrayPattern') for (const element of pattern.elements) bind(kind, element)
    else
      for (const property of pattern.properties)
        if (property.type === 'RestElement') bind(kind, property.argument)
        else if (property.shorthand) found.fields.add(property.key.name)
        else bind(kind, property.value)
  }

  const addProperty = ({ key, computed }: Node) => {
    if (!computed && key.type === 'Identifier') found.properties.push({ name: key.name, line: lineAt(key.start) })
  }
  const addSnakeWords = (quoted: unknown) => {
    for (const [word] of String(quoted).matchAll(/\b[a-z]\w*_\w+/g)) found.snakeWords.add(word)
  }
  const tagged = new Set<Node>()
  const visitors: Record<string, (node: Node) => void> = {
    VariableDeclarator: ({ id, init }) => bind('variable', id, isBooleanValue(init)),
    CatchClause: ({ param }) => bind('variable', param),
    ClassDeclaration: ({ id }) => id && declare('type', id),
    Property: (node) => {
      if (node.shorthand && node.value.type === 'Identifier') found.fields.add(node.key.name)
      addProperty(node)
    },
    TSPropertySignature: addProperty,
    TemplateElement: ({ value }) => addSnakeWords(value.cooked),
    CallExpression: ({ callee, arguments: [title] }) => {
      if (title && TESTS.test(text.slice(callee.start, callee.end))) found.titles.push(...proseIn(title))
    },
    // The SQL and the style sheets in tagged templates are no prose.
    TaggedTemplateExpression: ({ quasi }) => tagged.add(quasi),
    Literal: (node) => {
      addSnakeWords(node.value)
      found.strings.push(...proseIn(node))
    },
    TemplateLiteral: (node) => tagged.has(node) || found.strings.push(...proseIn(node)),
  }
  const proseIn = (node: Node): Prose[] => {
    if (node.type === 'Literal' && typeof node.value === 'string')
      return [{ text: node.value, line: lineAt(node.start) }]
    if (node.type !== 'TemplateLiteral') return []
    return node.quasis.map(({ value, start }: Node) => ({ text: value.cooked, line: lineAt(start) }))
  }
  function visit(node: unknown): void {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    const { type, ...parts } = node as Node
    visitors[type]?.(node as Node)
    if (/Function|^TSMethodSignature$/.test(type)) {
      if (parts.id) declare('function', parts.id)
      for (const parameter of parts.params ?? []) bind('parameter', parameter)
    }
    if (/^(?:Property|Method)Definition$/.test(type) && !parts.computed && parts.key.name !== undefined)
      declare('member', parts.key, isBooleanValue(parts.value) || isBooleanType(node as Node))
    for (const part of Object.values(parts)) visit(part)
  }
  visit(program)
  return found
}
