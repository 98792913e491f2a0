// Why a machine cannot stay in the fleet, in words for its operator.

import { FleetError } from '../fleet-error.js';
import type { Beat } from '../inventory/beat.js';

export interface MachinePlace {
  readonly environment: string;
  readonly executor: string;
}

/** The broker does not let it listen at its own subjects. */
export function notItsCredentials(
  { environment, executor, isChosen }: MachinePlace & { readonly isChosen: boolean },
  /** The machine that the credentials are for, where they name one. */
  machine: string | undefined,
  why: string,
): FleetError {
  const bound = machine === undefined || machine === executor ? '' : ` (they are for a machine ${machine})`;
  return new FleetError(
    'FLEET_CREDENTIALS',
    `these credentials are not for a machine ${environment}/${executor}${bound}: mint them with ` +
      `\`--role executor --environment ${environment} --machine ${isChosen ? executor : 'NAME'}\`; the broker says: ${why}`,
    { details: { environment, executor } },
  );
}

/** Another machine of the same name, as a copied disk makes one, was there first. */
export function nameIsTaken({ environment, executor }: MachinePlace, { host }: Beat): FleetError {
  return new FleetError(
    'FLEET_DUPLICATE',
    `another machine is called ${environment}/${executor} already (on ${host}): give this one another --name`,
    { details: { executor, host } },
  );
}
