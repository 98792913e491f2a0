// @codex/launcher: starts commands on pipes and terminals, and ends their trees.
export { type CreateLauncherOptions, createLauncher } from './create-launcher.js';
export { LaunchError, LaunchIoError, type LaunchStage } from './launch-error.js';
export type {
  FileIdentity,
  InheritedFd,
  LandlockAccess,
  LandlockRules,
  LaterBytes,
  LaunchIo,
  LaunchSpec,
  MadeLater,
  ResourceLimit,
  ResourceName,
  Restrictions,
  SettledGrant,
} from './launch-spec.js';
export type {
  ExitStatus,
  LaunchedProcess,
  Launcher,
  OutputOptions,
  ProcessInput,
  ProcessOutput,
  SignalScope,
} from './launched-process.js';
export { locateLauncherProgram } from './native/locate-launcher-program.js';
export { type KernelFeatures, probeKernel } from './native/probe-kernel.js';
export type { ProcessEntry } from './process-table.js';
export { shellExitCode } from './signal-names.js';
