import { namesIn } from './names.macro.ts' with { type: 'macro' }

export default namesIn('pt')
