type File = readonly [name: string, bytes: Uint8Array]

const REFERENCE = /(?<=\/assets\/)[\w.-]+\.(?:js|css)/g
const HASH = /-[0-9a-z]{8}(?=\.(?:js|css)$)/
const digest = (text: string): string => Bun.hash(text).toString(36)
const withoutHash = (name: string): string => name.replace(HASH, '')

/**
 * Names scripts and styles by a hash of their content. The bundler's own hashes also depend on the clone's folder and
 * the working directory, so one process would lack the files that another's page names.
 * @param files end in `-<hash>.js` or `-<hash>.css`, and refer to each other by these names
 * @throws Error if two files would get the same name
 */
export function namedByContent(files: File[]): File[] {
  const texts = new Map(files.map(([name, bytes]) => [name, Buffer.from(bytes).toString()]))
  const digests = new Map(
    [...texts].map(([name, text]) => [name, digest(withoutHash(name) + text.replace(REFERENCE, withoutHash))]),
  )
  const references = new Map(
    [...texts].map(([name, text]) => [name, text.match(REFERENCE)?.filter((other) => texts.has(other)) ?? []]),
  )
  const names = new Map(
    [...texts.keys()].map((name) => {
      // Files refer to each other in cycles, so the hash covers everything reachable from the file.
      const reachedNames = new Set([name])
      for (const one of reachedNames) for (const other of references.get(one) ?? []) reachedNames.add(other)
      const contents = [...reachedNames].map((one) => digests.get(one)).toSorted()
      return [name, name.replace(HASH, `-${digest(`${digests.get(name)} ${contents.join()}`)}`)]
    }),
  )
  if (new Set(names.values()).size < files.length) throw new Error('Two files of the web client have the same name')
  return [...texts].map(([name, text]) => [
    names.get(name) ?? name,
    Buffer.from(text.replace(REFERENCE, (other) => names.get(other) ?? other)),
  ])
}
