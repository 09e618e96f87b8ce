type File = readonly [name: string, bytes: Uint8Array]

const REFERENCE = /(?<=\/assets\/)[\w.-]+\.(?:js|css)/g
const HASH = /-[0-9a-z]{8}(?=\.(?:js|css)$)/
const digest = (text: string): string => Bun.hash(text).toString(36)
const withoutHash = (name: string): string => name.replace(HASH, '')

/**
 * Names scripts and styles by what they hold. The bundler's own names also depend on the folder of the clone and on the
 * one that the build was started in: a process would not have the files that the page of another process names.
 * @param built files that end in `-<hash>.js` or `-<hash>.css`, and name each other so
 * @throws Error when two files would have one name
 */
export function namedByContent(built: File[]): File[] {
  const texts = new Map(built.map(([name, bytes]) => [name, Buffer.from(bytes).toString()]))
  const digests = new Map(
    [...texts].map(([name, text]) => [name, digest(withoutHash(name) + text.replace(REFERENCE, withoutHash))]),
  )
  const named = new Map(
    [...texts].map(([name, text]) => [name, text.match(REFERENCE)?.filter((other) => texts.has(other)) ?? []]),
  )
  const names = new Map(
    [...texts.keys()].map((name) => {
      // Files name each other in circles: a name stands for all that is reached from its file.
      const reached = new Set([name])
      for (const one of reached) for (const other of named.get(one) ?? []) reached.add(other)
      const contents = [...reached].map((one) => digests.get(one)).toSorted()
      return [name, name.replace(HASH, `-${digest(`${digests.get(name)} ${contents.join()}`)}`)]
    }),
  )
  if (new Set(names.values()).size < built.length) throw new Error('Two files of the web client have the same name')
  return [...texts].map(([name, text]) => [
    names.get(name) ?? name,
    Buffer.from(text.replace(REFERENCE, (other) => names.get(other) ?? other)),
  ])
}
