// The weaker forms of enforcement that a person can accept by name. Complete by type.

import type { WeakerForm } from '@codex/sandbox';
import { InvalidArgumentError } from 'commander';

const FORMS: Readonly<Record<WeakerForm, true>> = {
  'host-proc': true,
  'unprotected-metadata': true,
  'host-signals': true,
  'root-capabilities': true,
  'host-attributes': true,
  'hidden-attributes': true,
  'host-sockets': true,
};

export const WEAKER_FORMS = Object.keys(FORMS) as WeakerForm[];

export function weakerForm(text: string, collected: readonly WeakerForm[] = []): WeakerForm[] {
  const form = WEAKER_FORMS.find((known) => known === text);
  if (form === undefined) throw new InvalidArgumentError(`Allowed choices are ${WEAKER_FORMS.join(', ')}.`);
  return [...collected, form];
}
