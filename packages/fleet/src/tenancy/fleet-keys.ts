// The keys of a fleet in a folder: the operator's, and for every account (a tenant) its own and one signing key per role.
// A holder of the folder owns the fleet; the broker and the machines need nothing of it but what is written for them.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';
import { FleetError } from '../fleet-error.js';
import { checkedName } from '../naming/subjects.js';
import { type KeyPair, signClaims } from './jwt.js';
import { KeyRegister, type MintedKey } from './key-register.js';
import { replaceFile } from './replace-file.js';
import { ROLE_PERMISSIONS, ROLES, type Role } from './roles.js';

export interface MintOptions {
  readonly account: string;
  readonly role: Role;
  readonly environments: readonly string[];
  /** Of an executor: the only name it may use. `*` is any, and lets it listen in the place of every other machine. */
  readonly machine?: string;
  readonly name: string;
  /** Epoch seconds. */
  readonly expiresAt?: number;
}

export interface ListedKey extends MintedKey {
  readonly account: string;
  readonly isRevoked: boolean;
}

export interface Minted {
  /** The text of a credentials file. */
  readonly credentials: string;
  readonly key: string;
}

/** As NATS writes the public key of a user. */
const USER_KEY = /^U[A-Z2-7]{55}$/;
const SECRET = 0o600;
/** The broker, which may be another user, reads it; there is no secret in it. */
const PUBLIC = 0o644;
const SECRET_FOLDER = 0o700;
const UNLIMITED = { subs: -1, data: -1, payload: -1 };
const ACCOUNT_LIMITS = { ...UNLIMITED, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };

/**
 * Brokers let in whose credentials are younger than their revocation. No key is ever used for other credentials, and the clock of
 * whoever made them may have been fast: so a revocation is younger than all of them.
 */
const END_OF_TIME = 253_402_300_799;

export class FleetKeys {
  readonly #folder: string;

  /** Makes the operator's key and one account for each name. */
  static create(folder: string, accounts: readonly string[]): FleetKeys {
    mkdirSync(folder, { recursive: true, mode: SECRET_FOLDER });
    if (readdirSync(folder).length > 0) {
      throw new FleetError('FLEET_CREDENTIALS', `${folder} is not empty: keys are never overwritten`);
    }
    const keys = new FleetKeys(folder);
    keys.#write('operator.nk', nkeys.createOperator());
    for (const account of accounts) keys.addAccount(account);
    return keys;
  }

  /** Those that `create` has made. */
  static open(folder: string): FleetKeys {
    if (!existsSync(join(folder, 'operator.nk')))
      throw new FleetError(
        'FLEET_CREDENTIALS',
        `${folder} holds no keys of a fleet: \`exec-server fleet init ${folder}\` makes them`,
      );
    return new FleetKeys(folder);
  }

  private constructor(folder: string) {
    this.#folder = folder;
  }

  get accounts(): string[] {
    return readdirSync(join(this.#folder, 'accounts')).sort();
  }

  addAccount(account: string): void {
    checkedName('the account', account);
    mkdirSync(join(this.#folder, 'accounts', account), { recursive: true, mode: SECRET_FOLDER });
    this.#write(join('accounts', account, 'account.nk'), nkeys.createAccount());
    for (const role of ROLES) this.#write(join('accounts', account, `${role}.nk`), nkeys.createAccount());
  }

  mint({ account, role, environments, machine, name, expiresAt }: MintOptions): Minted {
    for (const environment of environments)
      if (environment !== '*') checkedName('the environment', environment);
    if (machine === undefined && role === 'executor')
      throw new FleetError('FLEET_CREDENTIALS', 'an executor needs the name of its machine, or `*` for any');
    if (machine !== undefined && machine !== '*') checkedName('the machine', machine);
    const issuer = this.#key(account, role);
    const user = nkeys.createUser();
    const key = user.getPublicKey();
    const tags = [
      ...environments.map((environment) => `environment:${environment}`),
      `machine:${machine ?? '*'}`,
    ];
    const jwt = signClaims(
      {
        name,
        subject: key,
        issuedAt: seconds(),
        ...(expiresAt === undefined ? {} : { expiresAt }),
        nats: { type: 'user', issuer_account: this.#key(account, 'account').getPublicKey(), tags },
      },
      issuer,
    );
    this.#register(account).add({
      key,
      role,
      name,
      environments,
      ...(machine === undefined ? {} : { machine }),
      mintedAt: seconds(),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    });
    return { credentials: credentialsText(jwt, new TextDecoder().decode(user.getSeed())), key };
  }

  /** Every key that was minted from this folder, the oldest of each account first. */
  minted(): ListedKey[] {
    return this.accounts.flatMap((account) => {
      const revoked = this.#revoked(account);
      return this.#register(account)
        .list()
        .map((minted) => ({ ...minted, account, isRevoked: Object.hasOwn(revoked, minted.key) }));
    });
  }

  /**
   * The broker lets this key in no more, once it has read its new configuration. Returns the account, which has to be named only for
   * keys that were minted from another copy of the folder.
   */
  revoke(key: string, named?: string): string {
    if (!USER_KEY.test(key)) {
      throw new FleetError(
        'FLEET_CREDENTIALS',
        `${JSON.stringify(key)} is no key: use the one that \`exec-server fleet mint\` printed and \`exec-server fleet keys ${this.#folder}\` lists, a U and 55 letters and digits`,
      );
    }
    const account = this.#accountOf(key, named);
    const revoked = { ...this.#revoked(account), [key]: seconds() };
    this.#replace(join('accounts', account, 'revoked.json'), `${JSON.stringify(revoked, null, 2)}\n`);
    return account;
  }

  /** In another account than that of its owner a revocation shuts nobody out. */
  #accountOf(key: string, named: string | undefined): string {
    const owner = this.accounts.find((account) =>
      this.#register(account)
        .list()
        .some((minted) => minted.key === key),
    );
    if (named !== undefined) this.#key(named, 'account');
    if (owner !== undefined && named !== undefined && owner !== named)
      throw new FleetError('FLEET_CREDENTIALS', `the key ${key} is of account ${owner}, not of ${named}`);
    const account = owner ?? named;
    if (account !== undefined) return account;
    throw new FleetError(
      'FLEET_CREDENTIALS',
      `no credentials with the key ${key} were minted from ${this.#folder}: \`exec-server fleet keys ${this.#folder}\` lists those that were. For a key that was minted from a copy of the folder, name its account with --account`,
    );
  }

  /** Writes it where the broker's own configuration includes it. */
  writeBrokerConfig(): void {
    replaceFile(join(this.#folder, 'accounts.conf'), this.brokerConfig(), PUBLIC);
  }

  /** The part of the broker's configuration that says who may do what. It holds no secret. */
  brokerConfig(): string {
    const operator = this.#read('operator.nk');
    const accounts = this.accounts.map((account) => {
      const key = this.#key(account, 'account').getPublicKey();
      return `  ${key}: ${this.#accountJwt(account, key, operator)}`;
    });
    return [
      `operator: ${this.#operatorJwt(operator)}`,
      'resolver: MEMORY',
      'resolver_preload: {',
      ...accounts,
      '}',
      '',
    ].join('\n');
  }

  /** Made once: a broker that runs refuses a configuration whose operator is another one, by a second even. */
  #operatorJwt(operator: KeyPair): string {
    const file = join(this.#folder, 'operator.jwt');
    if (!existsSync(file)) {
      const claims = { name: 'exec-server', subject: operator.getPublicKey(), issuedAt: seconds() };
      const jwt = signClaims({ ...claims, nats: { type: 'operator' } }, operator);
      this.#replace('operator.jwt', `${jwt}\n`);
    }
    return readFileSync(file, 'utf8').trim();
  }

  #accountJwt(account: string, key: string, operator: KeyPair): string {
    const signingKeys = ROLES.map((role) => ({
      kind: 'user_scope',
      key: this.#key(account, role).getPublicKey(),
      role,
      template: { ...ROLE_PERMISSIONS[role], ...UNLIMITED },
    }));
    const nats = {
      type: 'account',
      limits: ACCOUNT_LIMITS,
      default_permissions: { pub: {}, sub: {} },
      signing_keys: signingKeys,
      revocations: Object.fromEntries(Object.keys(this.#revoked(account)).map((key) => [key, END_OF_TIME])),
    };
    return signClaims({ name: account, subject: key, issuedAt: seconds(), nats }, operator);
  }

  /** A list that is there and cannot be read is an error: without it every revoked key would be let in again. */
  #revoked(account: string): Readonly<Record<string, number>> {
    const path = join(this.#folder, 'accounts', account, 'revoked.json');
    if (!existsSync(path)) return {};
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as Record<string, number>;
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new FleetError('FLEET_CREDENTIALS', `cannot read the revoked keys in ${path}: ${why}`, { cause });
    }
  }

  #key(account: string, name: string): KeyPair {
    if (!this.accounts.includes(checkedName('the account', account)))
      throw new FleetError(
        'FLEET_CREDENTIALS',
        `there is no account ${account} in ${this.#folder}, only ${this.accounts.join(', ')}: \`exec-server fleet add-account\` adds one`,
      );
    return this.#read(join('accounts', account, `${name}.nk`));
  }

  #read(name: string): KeyPair {
    const path = join(this.#folder, name);
    try {
      return nkeys.fromSeed(new TextEncoder().encode(readFileSync(path, 'utf8').trim()));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new FleetError('FLEET_CREDENTIALS', `cannot read the key ${path}: ${why}`, { cause });
    }
  }

  #register(account: string): KeyRegister {
    return new KeyRegister(join(this.#folder, 'accounts', account, 'minted.jsonl'));
  }

  #replace(name: string, text: string): void {
    replaceFile(join(this.#folder, name), text, SECRET);
  }

  #write(name: string, key: KeyPair): void {
    const seed = new TextDecoder().decode(key.getSeed());
    writeFileSync(join(this.#folder, name), `${seed}\n`, { mode: SECRET, flag: 'wx' });
  }
}

function credentialsText(jwt: string, seed: string): string {
  return [
    '-----BEGIN NATS USER JWT-----',
    jwt,
    '------END NATS USER JWT------',
    '',
    '-----BEGIN USER NKEY SEED-----',
    seed,
    '------END USER NKEY SEED------',
    '',
  ].join('\n');
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
