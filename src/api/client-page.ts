import { type Files, FIRST_FILES, pathOf } from './client-files.ts'
import { PICTURES } from './web-manifest.ts'

/** Paths of the files that the page and the manifest name. */
export type Urls = Record<keyof typeof FIRST_FILES | keyof typeof PICTURES, string>

export const urlsOf = (files: Files): Urls => ({
  ...mapNames(FIRST_FILES, (start) => pathOf(files, start)),
  ...mapNames(PICTURES, (start) => pathOf(files, start)),
})

const mapNames = <K extends string>(names: Record<K, string>, pathOfName: (name: string) => string) =>
  Object.fromEntries(Object.entries<string>(names).map(([key, name]) => [key, pathOfName(name)])) as Record<K, string>

/** The page of the client. */
export const pageHtml = ({ check, script, style, icon, font, small }: Urls) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport"
  content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f0f3f4" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0f1516" media="(prefers-color-scheme: dark)">
<title>Parley</title>
<link rel="icon" href="${icon}" type="image/svg+xml">
<link rel="manifest" href="/manifest.webmanifest">
<link rel="apple-touch-icon" href="${small}">
<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${style}">
<script defer src="${check}"></script>
<script type="module" src="${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript>Parley needs JavaScript.</noscript>
</body>
</html>
`
