export type MethodFamily =
  | 'session'
  | 'exec'
  | 'filesystem'
  | 'http'
  | 'environment info'
  | 'environment status'
  | 'environment config'
  | 'capability discovery'
  | 'observer'
  | 'journal'
  | 'control'
  | 'approval'
  | 'console';
