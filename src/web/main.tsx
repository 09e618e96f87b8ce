import { render } from 'preact'
import { begin } from './state/live.ts'
import { App } from './ui/shell/app.tsx'

const root = document.getElementById('app')
if (root) render(<App />, root)
void begin()
