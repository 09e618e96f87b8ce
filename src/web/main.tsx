import { render } from 'preact'
import { begin } from './live.ts'
import { App } from './ui/app.tsx'

const root = document.getElementById('app')
if (root) render(<App />, root)
void begin()
