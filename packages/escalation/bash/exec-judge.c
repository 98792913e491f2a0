/* Copyright (C) 2026 the exec-server authors

   This file is meant to be compiled into GNU Bash, and is free software: you can redistribute it and/or modify it under the terms
   of the GNU General Public License as published by the Free Software Foundation, either version 3 of the License, or (at your
   option) any later version. It comes without any warranty; see the GNU General Public License for details
   (https://www.gnu.org/licenses/).

   Bash executes the program that BASH_EXEC_WRAPPER names in place of every other: `WRAPPER FILE ARGV0 ARGV1 ...`. Included by
   execute_cmd.c, whose one execve it replaces.

   The variables are taken once, before Bash reads its environment: what a script does to variables of these names changes
   nothing, and children get them as they were. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern int shell_initialized;   /* shell.c */

#define JUDGE_WRAPPER "BASH_EXEC_WRAPPER="
#define JUDGE_SOCKET "CODEX_ESCALATE_SOCKET="
#define JUDGE_PHASE "CODEX_EXEC_PHASE="

static char *judge_wrapper;   /* "NAME=value", or null when there is none to be used */
static char *judge_socket;

static char *
judge_copy (const char *prefix)
{
  extern char **environ;
  char **at;

  for (at = environ; at && *at; at++)
    if (strncmp (*at, prefix, strlen (prefix)) == 0)
      return (strdup (*at));
  return ((char *)0);
}

/* A number whose descriptor is an open socket. The parent of a shell may have closed descriptors that it does not know. */
static int
judge_socket_is_open (void)
{
  struct stat status;
  char *end;
  long number;

  number = strtol (judge_socket + strlen (JUDGE_SOCKET), &end, 10);
  return (*end == '\0' && fstat ((int)number, &status) == 0 && S_ISSOCK (status.st_mode));
}

/* Bash has its own getenv, which reads shell variables: `environ` is looked at before Bash is. */
__attribute__ ((constructor)) static void
judge_arm (void)
{
  char *path;

  judge_wrapper = judge_copy (JUDGE_WRAPPER);
  judge_socket = judge_copy (JUDGE_SOCKET);
  path = judge_wrapper ? judge_wrapper + strlen (JUDGE_WRAPPER) : "";
  if (*path != '/' || (judge_socket && judge_socket_is_open () == 0))
    judge_wrapper = (char *)0;
}

static int
judge_is_own (const char *variable)
{
  return (strncmp (variable, JUDGE_WRAPPER, strlen (JUDGE_WRAPPER)) == 0 ||
	  strncmp (variable, JUDGE_SOCKET, strlen (JUDGE_SOCKET)) == 0 ||
	  strncmp (variable, JUDGE_PHASE, strlen (JUDGE_PHASE)) == 0);
}

static char **
judge_environment (char **env)
{
  char **copy;
  size_t count, kept;

  for (count = 0; env && env[count]; count++)
    ;
  if ((copy = calloc (count + 4, sizeof (char *))) == 0)
    return (copy);
  for (kept = count = 0; env && env[count]; count++)
    if (judge_is_own (env[count]) == 0)
      copy[kept++] = env[count];
  copy[kept++] = judge_wrapper;
  if (judge_socket)
    copy[kept++] = judge_socket;
  /* Neither a command string nor a script is being executed yet. */
  if (executing == 0 && shell_initialized == 0)
    copy[kept++] = JUDGE_PHASE "startup";
  return (copy);
}

/* Returns like execve. What cannot be executed is not asked about, so that Bash has its own words for it. */
static int
judge_execve (char *command, char **args, char **env)
{
  char **extended, **environment;
  struct stat status;
  size_t count;

  if (judge_wrapper == 0)
    return (execve (command, args, env));
  if (access (command, X_OK) != 0 || stat (command, &status) != 0)
    return (-1);
  if (S_ISREG (status.st_mode) == 0)
    {
      errno = EACCES;
      return (-1);
    }
  for (count = 0; args[count]; count++)
    ;
  extended = calloc (count + 3, sizeof (char *));
  environment = judge_environment (env);
  if (extended == 0 || environment == 0)
    {
      free (extended);
      free (environment);
      errno = ENOMEM;
      return (-1);
    }
  extended[0] = judge_wrapper + strlen (JUDGE_WRAPPER);
  extended[1] = command;
  memcpy (extended + 2, args, count * sizeof (char *));
  execve (extended[0], extended, environment);
  /* Without its wrapper nothing is executed. */
  free (extended);
  free (environment);
  return (-1);
}
