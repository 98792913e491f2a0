#define _GNU_SOURCE
#include "state.h"
#include "process-stat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FLAG_STARTUP = 1, FLAG_LOSSY = 2, FLAG_WORKDIR_ON_HOST = 4 };   /* twins in src/broker/link-codec.ts */

/* A record that cannot be sent means that the server is gone. */
static void tell(struct broker *broker, struct text record) {
  if (link_tell(&broker->link, &record) != 0) broker->is_ending = 1;
}

void tell_refused(struct broker *broker, enum refusal why) {
  struct text record = tell_begin(TELL_REFUSED);
  text_add_u32(&record, why);
  tell(broker, record);
}

void tell_abandoned(struct broker *broker, uint32_t id) {
  struct text record = tell_begin(TELL_ABANDONED);
  text_add_u32(&record, id);
  tell(broker, record);
}

static struct text tell_exec(uint32_t type, const struct session *session, uint64_t start_time, const char *workdir) {
  const struct exec_message *message = &session->message;
  const struct program *program = session->program;
  int is_on_host = program != NULL && program->folder_fd >= 0;
  struct text record = tell_begin(type);
  text_add_u32(&record, session->id);
  text_add_u32(&record, (uint32_t)session->asker.pid);
  text_add_u64(&record, start_time);
  text_add_u32(&record, (message->is_startup ? FLAG_STARTUP : 0) | (message->is_lossy ? FLAG_LOSSY : 0) |
                            (is_on_host ? FLAG_WORKDIR_ON_HOST : 0));
  tell_string(&record, message->file);
  tell_string(&record, workdir);
  text_add_u32(&record, (uint32_t)message->argc);
  for (size_t i = 0; i < message->argc; i++) tell_string(&record, message->argv[i]);
  return record;
}

static void tell_file(struct text *record, const char *given, const struct walk *file) {
  tell_string(record, given);
  tell_string(record, file->real_path);
  text_add_u32(record, (uint32_t)file->step_count);
  for (size_t i = 0; i < file->step_count; i++) {
    const struct step *step = &file->steps[i];
    text_add_u32(record, (uint32_t)step->kind | (step->is_on_host ? 256u : 0) | (step->is_a_name ? 512u : 0));
    text_add_u64(record, step->device);
    text_add_u64(record, step->inode);
    tell_string(record, step_path(file, i));
  }
}

/* Whatever is decided; asked for again when it is decided. */
static int can_leave(const struct session *session) {
  const struct program *program = session->program;
  const struct exec_message *message = &session->message;
  return program->state == WALK_OPENED && program->exec_fd >= 0 && program->folder_fd >= 0 && !message->is_startup && !message->is_lossy;
}

/* Node is to decide. What it hears of the program and the folder is the kernel's word, not the asking process's. */
static void ask_server(struct broker *broker, struct session *session) {
  const struct exec_message *message = &session->message;
  const struct program *program = session->program;
  const char *workdir = program->workdir[0] == '\0' ? message->workdir : program->workdir;
  struct text record = tell_exec(TELL_REQUEST, session, process_start_time(session->asker.pid), workdir);
  text_add_u32(&record, (uint32_t)message->env_count);
  for (size_t i = 0; i < message->env_count; i++) {
    tell_string(&record, message->env[i].name);
    tell_string(&record, message->env[i].value);
  }
  text_add_u32(&record, program->state);
  text_add_u32(&record, program->state == WALK_OPENED ? (uint32_t)program->file_count : 0);
  for (size_t i = 0; program->state == WALK_OPENED && i < program->file_count; i++)
    tell_file(&record, program->given[i], program->files[i]);
  session->is_waiting = 1;
  tell(broker, record);
  if (can_leave(session)) session->minder_fd = minder_start(session, &session->minder);
}

/* The file itself, and every link that stood for it on the way. */
static int has_asked_name(const struct config *config, const struct walk *file) {
  for (size_t i = 0; i < file->step_count; i++)
    if (file->steps[i].is_a_name && config_names(config, step_path(file, i))) return 1;
  return 0;
}

/* No rule can be about it, under any of the names that rules are compared with. */
static int is_unnamed(const struct broker *broker, const struct session *session) {
  const struct config *config = broker->config;
  const struct program *program = session->program;
  if ((config->flags & CONFIG_ASK_ALL) || config_names(config, session->message.file)) return 0;
  switch (program->state) {
    case WALK_OPENED: return !has_asked_name(config, program->files[0]);
    case WALK_MISSING: case WALK_NOT_A_FILE: return 1;   /* it cannot run in any case */
    default: return 0;
  }
}

static void deny(const struct session *session, const char *reason) {
  struct text json = { 0 };
  text_add_string(&json, "{\"action\":{\"Deny\":{\"reason\":");
  text_add_json(&json, reason);
  text_add_string(&json, "}}}");
  text_add(&json, "", 1);
  if (!json.has_failed) session_answer(session, json.bytes);
  text_free(&json);
}

void take_request(struct broker *broker, struct session *session) {
  if (exec_message_is_too_large(&session->message)) {
    deny(session, "it has too many words or variables to be judged");
    tell_refused(broker, REFUSED_TOO_LARGE);
    drop_session(broker, session);
    return;
  }
  session->program = program_open(&session->asker, session->message.file);
  if (session->program == NULL) { drop_session(broker, session); return; }
  if (!is_unnamed(broker, session)) { ask_server(broker, session); return; }
  session_answer(session, "{\"action\":\"Run\"}");
  tell(broker, tell_exec(TELL_RAN, session, 0, session->message.workdir));
  drop_session(broker, session);
}

static void tell_exited(struct broker *broker, uint32_t id, uint32_t code, const char *error) {
  struct text record = tell_begin(TELL_EXITED);
  text_add_u32(&record, id);
  text_add_u32(&record, code);
  tell_string(&record, error);
  tell(broker, record);
}

/* Node decided what cannot be done. */
static void refuse(struct broker *broker, const struct session *session, const char *why) {
  deny(session, why);
  tell_exited(broker, session->id, EXIT_DENIED, why);
}

static void escalate(struct broker *broker, struct session *session, const char **envp, int is_as_called) {
  const struct program *program = session->program;
  if (program->state != WALK_OPENED || program->exec_fd < 0) {
    refuse(broker, session, "the program does not exist outside of the sandbox as it does inside");
    return;
  }
  if (program->folder_fd < 0) {
    refuse(broker, session, "the working directory does not exist outside of the sandbox");
    return;
  }
  if (session_answer(session, "{\"action\":\"Escalate\"}") != 0) { tell_abandoned(broker, session->id); return; }
  if (session->minder_fd < 0) session->minder_fd = minder_start(session, &session->minder);
  int error = session->minder_fd < 0 ? errno : minder_go(session->minder_fd, envp, is_as_called);
  if (error != 0) { tell_exited(broker, session->id, EXIT_CANNOT, strerror(error)); return; }
  broker->minded[broker->minded_count++] = (struct minded){ session->minder_fd, session->id, session->minder };
  session->minder_fd = -1;
}

static void carry_out(struct broker *broker, struct session *session, uint32_t action, struct reader *reader) {
  int is_to_leave = action == DECIDED_ESCALATE || action == DECIDED_ESCALATE_AS_CALLED;
  if (session_is_void(session)) tell_abandoned(broker, session->id);   /* a second request, or the session has ended */
  else if (action == DECIDED_RUN || (is_to_leave && session->message.is_lossy)) session_answer(session, "{\"action\":\"Run\"}");
  else if (action == DECIDED_DENY) deny(session, reader_string(reader));
  else {
    uint32_t count;
    const char **envp = reader_strings(reader, &count);
    if (envp != NULL && !reader->is_bad) escalate(broker, session, envp, action == DECIDED_ESCALATE_AS_CALLED);
    free(envp);
  }
  drop_session(broker, session);
}

static void take_decision(struct broker *broker, struct reader *reader) {
  uint32_t id = reader_u32(reader), action = reader_u32(reader);
  for (size_t i = 0; i < broker->session_count; i++) {
    struct session *session = broker->sessions[i];
    if (session->id != id) continue;
    carry_out(broker, session, action, reader);
    return;
  }
}

void take_decisions(struct broker *broker) {
  uint32_t type;
  size_t taken = 0;
  struct reader reader;
  if (link_receive(&broker->link) != 0) { broker->is_ending = 1; return; }
  while (!broker->is_ending && link_next(&broker->link, &type, &reader, &taken)) {
    if (type == TOLD_DECISION) take_decision(broker, &reader);
    else broker->is_ending = 1;
  }
  link_drop(&broker->link, taken);
}
