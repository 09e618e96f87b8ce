/** What happened in a run, in numbers. */
export const newCounts = () => ({
  sends: 0,
  acknowledged: 0,
  refused: 0,
  'sends repeated': 0,
  'sends found to be there already': 0,
  edits: 0,
  deletions: 0,
  'channels read': 0,
  changes: 0,
  'changes repeated': 0,
  events: 0,
  'messages seen': 0,
  'messages seen again': 0,
  'fresh connections': 0,
  'resumed connections': 0,
  'connections that failed': 0,
  'connections lost': 0,
  reloads: 0,
  'histories fetched': 0,
})
export type Counts = ReturnType<typeof newCounts>
