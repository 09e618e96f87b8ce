/**
 * Plugin for `Bun.build`: evaluates `*.built.ts` during the build and bundles only the exported values. When the
 * sources run, the file is an ordinary module. Bun's macros do the same, but fail below a folder with an
 * apostrophe.
 */
export const builtValues: Bun.BunPlugin = {
  name: 'built values',
  setup(build) {
    build.onLoad({ filter: /\.built\.ts$/ }, async ({ path }) => {
      const values: [name: string, value: unknown][] = Object.entries(await import(path))
      const lines = values.map(([name, value]) =>
        name === 'default'
          ? `export default ${JSON.stringify(value)}`
          : `export const ${name} = ${JSON.stringify(value)}`,
      )
      return { contents: lines.join('\n'), loader: 'js' }
    })
  },
}
