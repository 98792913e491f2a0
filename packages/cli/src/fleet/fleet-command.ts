// `exec-server fleet …`: for the people who run a fleet.

import { Command, Option } from 'commander';
import { wholeNumber } from '../whole-number.js';
import { doctorFleet } from './doctor-fleet.js';
import { exportMetrics } from './export-metrics.js';
import { addAccount, initFleet, listKeys, mintCredentials, revokeCredentials } from './keys-commands.js';
import { drainMachine, listMachines, topMachines } from './machine-commands.js';
import { printTicket } from './tickets.js';

export const MINTED_ROLES = ['executor', 'client', 'gateway', 'observer', 'admin'] as const;

export function fleetCommand(): Command {
  const command = new Command('fleet');
  keyCommands(command);
  machineCommands(command);
  return command;
}

function keyCommands(command: Command): void {
  command
    .command('init')
    .description('make the keys of a fleet and the configuration of its broker')
    .argument('<folder>', 'a folder that does not exist yet, or is empty')
    .addOption(
      new Option('--account <name...>', 'one account for each tenant').default(['default'], 'default'),
    )
    .action(initFleet);
  command
    .command('add-account')
    .description('add a tenant; the broker has to read its configuration again')
    .argument('<folder>')
    .argument('<account>')
    .action(addAccount);
  command
    .command('mint')
    .description('write a credentials file')
    .argument('<folder>', 'the folder of `fleet init`')
    .addOption(new Option('--role <role>', 'who it is for').choices(MINTED_ROLES).makeOptionMandatory())
    .requiredOption('--out <file>', 'where to write it')
    .option('--account <name>', 'the tenant', 'default')
    .addOption(new Option('--environment <name...>', 'environments it is good for').default(['*'], 'all'))
    .option('--machine <name>', 'of an executor: the name of its machine')
    .option('--any-machine', 'of an executor, instead: for machines that trust each other, such as copies')
    .option('--name <name>', 'how lists show it')
    .option('--expires <time>', 'for how long it is good: 12h, 30d (default: for ever)')
    .action(mintCredentials);
  command
    .command('ticket')
    .description(
      'print a ticket for the address of a gateway: …/e/ENVIRONMENT?ticket=TICKET, good for one session within a minute',
    )
    .requiredOption('--secret-file <path>', 'the secret that the gateway has')
    .requiredOption('--environment <name>', 'what it opens')
    .option('--name <name>', 'whom it is for')
    .action(printTicket);
  command
    .command('keys')
    .description('list what was minted, with the keys to revoke it by')
    .argument('<folder>', 'the folder of `fleet init`')
    .option('--json', 'as JSON')
    .action(listKeys);
  command
    .command('revoke')
    .description('let a key in no more; the broker has to read its configuration again')
    .argument('<folder>')
    .argument('<key>', 'the key that `fleet mint` printed, and `fleet keys` lists')
    .option('--account <name>', 'the tenant, for a key that was minted from a copy of the folder')
    .action(revokeCredentials);
}

function machineCommands(command: Command): void {
  withBroker(command.command('ls').description('list the machines'))
    .option('--environment <name>', 'only this one')
    .option('--json', 'as JSON')
    .option('--wait-ms <ms>', 'how long to listen', wholeNumber, 5500)
    .action(listMachines);
  withBroker(command.command('top').description('watch the machines'))
    .option('--environment <name>', 'only this one')
    .action(topMachines);
  withBroker(
    command.command('drain').description('let a machine take no more sessions, and end after the last'),
  )
    .argument('<machine>')
    .requiredOption('--environment <name>', 'where it is')
    .action(drainMachine);
  withBroker(
    command.command('doctor').description('look for what is wrong with the broker, and with this way to it'),
  ).action(doctorFleet);
  withBroker(
    command.command('metrics').description('serve what the machines say, for Prometheus and autoscalers'),
  )
    .option('--environment <name>', 'only this one')
    .requiredOption('--status-listen <ip:port>', 'where to serve /metrics and /slots')
    .action(exportMetrics);
}

function withBroker(command: Command): Command {
  return command
    .addOption(new Option('--fleet <url>', 'the broker').env('EXEC_SERVER_FLEET'))
    .addOption(new Option('--credentials <path>', 'credentials file').env('EXEC_SERVER_CREDENTIALS'))
    .option('--fleet-ca <path>', "authority (PEM) of the broker's certificate")
    .option('--insecure-plaintext', 'accept that everything crosses the network in the clear');
}
