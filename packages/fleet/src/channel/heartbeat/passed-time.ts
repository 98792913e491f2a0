// How much time has passed, for a program that may have been stopped, suspended with its machine, or paused as a virtual
// machine. The monotonic clock stands still during a suspend and the uptime does not; during the pause of a virtual machine
// both do, and only a step of the wall clock tells of it afterwards. Such a step may as well be a wrong time that was put
// right. So it is told apart: `passed` counts what is certain, and a step is reported as a doubt.

import { uptime } from 'node:os';

export interface ClockSource {
  monotonic(): number;
  uptime(): number;
  wall(): number;
}

const systemSource: ClockSource = {
  monotonic: () => performance.now(),
  uptime: () => uptime() * 1000,
  wall: () => Date.now(),
};

/** Smaller differences between clocks are slewing, rounding and the time between two looks at them. */
const LEAST_STEP_MS = 3000;

export class PassedTime {
  readonly #source: ClockSource;
  #monotonic: number;
  #uptime: number;
  #wall: number;
  #suspendedMs = 0;

  constructor(source: ClockSource = systemSource) {
    this.#source = source;
    this.#monotonic = source.monotonic();
    this.#uptime = source.uptime();
    this.#wall = source.wall();
  }

  /** Milliseconds that have certainly passed, from any beginning. */
  now(): number {
    return this.#source.monotonic() + this.#suspendedMs;
  }

  /** The time since the last look, by the clock that says most. */
  get unlookedMs(): number {
    return Math.max(this.#source.monotonic() - this.#monotonic, this.#source.wall() - this.#wall);
  }

  /** Compares the clocks, some times a second. Returns by how much the wall clock was set, or zero. */
  look(): number {
    const { monotonic, uptime: up, wall } = this.#source;
    const [nowMonotonic, nowUptime, nowWall] = [monotonic(), up(), wall()];
    const ran = nowMonotonic - this.#monotonic;
    const suspended = nowUptime - this.#uptime - ran;
    const passed = suspended > LEAST_STEP_MS ? ran + suspended : ran;
    const step = nowWall - this.#wall - passed;
    this.#suspendedMs += passed - ran;
    this.#monotonic = nowMonotonic;
    this.#uptime = nowUptime;
    this.#wall = nowWall;
    return Math.abs(step) > LEAST_STEP_MS ? step : 0;
  }
}
