/** What tells whether an engine can be used here. */
type Engines = ReadonlyMap<string, { availability(hasOwnModels: boolean): { available: boolean } }>

/** The engine that a run gets when it names none: with any model configured the built-in agent, else the one that needs none. */
export function defaultEngine(engines: Engines, hasOwnModels: boolean): string {
  return engines.get('builtin')?.availability(hasOwnModels).available ? 'builtin' : 'repair'
}
