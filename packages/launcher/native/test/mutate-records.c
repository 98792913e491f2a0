/* Drives the fuzz target without libFuzzer: makes records that are right, remembers where their numbers stand, and breaks them
   in the ways that matter to a parser of lengths and counts. The same seed gives the same records. argv: seconds, seed. */
#define _GNU_SOURCE
#include "../command/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int parse_one(const uint8_t *data, size_t size);

enum { MAX_RECORD = 64 * 1024, MAX_NUMBERS = 1024 };

static uint8_t record[MAX_RECORD];
static size_t length;
static size_t numbers[MAX_NUMBERS];   /* where counts and lengths stand */
static size_t number_count;
static uint64_t state;

static uint32_t any(void) {   /* xorshift64* */
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (uint32_t)(state * 0x2545f4914f6cdd1dull >> 32);
}

static uint32_t below(uint32_t limit) { return any() % limit; }

static void put(const void *bytes, size_t size) {
  if (length + size > sizeof record) return;
  memcpy(record + length, bytes, size);
  length += size;
}

static void put_u32(uint32_t value) { put(&value, sizeof value); }
static void put_u64(uint64_t value) { put(&value, sizeof value); }

static void put_count(uint32_t value) {
  if (number_count < MAX_NUMBERS) numbers[number_count++] = length;
  put_u32(value);
}

static void put_string(void) {
  char text[64];
  size_t size = below(sizeof text - 1);
  for (size_t i = 0; i < size; i++) text[i] = (char)(1 + below(255));
  text[size] = '\0';
  put(text, size + 1);
}

static void put_bytes(uint32_t size, int ends_with_nul) {
  put_count(size);
  for (uint32_t i = 0; i < size; i++) {
    uint8_t byte = ends_with_nul ? (uint8_t)(i + 1 == size ? 0 : 1 + below(255)) : (uint8_t)any();
    put(&byte, 1);
  }
}

static void put_strings(uint32_t count) {
  put_count(count);
  for (uint32_t i = 0; i < count; i++) put_string();
}

static void put_grant(int may_report) {
  static const int32_t sources[] = { SOURCE_DATA, SOURCE_PATH, SOURCE_IDENTIFIED, 4, SOURCE_REPORT, SOURCE_SETTLED };
  int32_t source = sources[below(may_report ? 6 : 4)];
  put_count((uint32_t)source);
  put_u32(3 + below(20));
  int is_path = source == SOURCE_PATH || source == SOURCE_IDENTIFIED;
  uint32_t identity = source == SOURCE_IDENTIFIED ? IDENTITY_BYTES : 0;
  put_bytes(source == SOURCE_DATA ? below(100) : is_path ? identity + 2 + below(50) : 0, is_path);
}

static void make_record(void) {
  length = number_count = 0;
  put_u32(below(16));
  for (int i = 0; i < 3; i++) put_u32(below(100));   /* descriptors, rows, columns */
  for (int i = 0; i < 3; i++) put_u64(any());        /* masks */
  put_u32(below(8));
  put_string();
  put_string();
  put_strings(1 + below(6));
  put_strings(below(20));
  put_bytes(8 * below(10), 0);
  uint32_t grants = below(5);
  put_count(grants);
  for (uint32_t i = 0; i < grants; i++) put_grant(i == 0);
  uint32_t limits = below(4);
  put_count(limits);
  for (uint32_t i = 0; i < limits; i++) { put_u32(below(16)); put_u64(any()); put_u64(any()); }
  uint32_t paths = below(5);
  put_count(paths);
  for (uint32_t i = 0; i < paths; i++) { put_u64(any()); put_string(); }
  uint32_t ports = below(5);
  put_count(ports);
  for (uint32_t i = 0; i < ports; i++) { put_u64(any()); put_u32(below(70000)); }
  put_bytes(below(2) * (1 + below(100)), 1);
}

/* Around every border that arithmetic has, and around what is really left. */
static uint32_t extreme(void) {
  static const uint32_t borders[] = { 0, 1, 8, 0x7fffffff, 0x80000000, 0xffffffff, 0x55555555, 0x20000000, 0x10000000 };
  return below(2) ? borders[below(sizeof borders / sizeof *borders)] + below(3) - 1 : (uint32_t)length + below(9) - 4;
}

static void break_record(void) {
  if (length == 0) return;
  size_t at = below((uint32_t)length), span = 1 + below(24);
  uint32_t value = extreme();
  switch (below(6)) {
    case 0: if (number_count > 0) memcpy(record + numbers[below((uint32_t)number_count)], &value, sizeof value); break;
    case 1: record[at] ^= (uint8_t)(1 << below(8)); break;
    case 2: record[at] = 0; break;
    case 3: length = at; number_count = 0; break;
    case 4:   /* a piece is cut out */
      if (at + span > length) break;
      memmove(record + at, record + at + span, length - at - span);
      length -= span;
      number_count = 0;
      break;
    default:   /* a piece stands twice */
      if (at + span > length || length + span > sizeof record) break;
      memmove(record + at + span, record + at, length - at);
      length += span;
      number_count = 0;
  }
}

int main(int argc, char **argv) {
  double seconds = argc > 1 ? atof(argv[1]) : 10;
  state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
  unsigned long right = 0, broken = 0, accepted = 0;
  while (clock() < end) {
    for (int i = 0; i < 1000; i++) {
      make_record();
      right++;
      if (!parse_one(record, length)) { fprintf(stderr, "a right record was refused\n"); return 1; }
      for (uint32_t changes = 1 + below(4); changes > 0; changes--) break_record();
      broken++;
      accepted += (unsigned long)parse_one(record, length);
    }
  }
  printf("%lu right records, %lu broken ones, of which %lu were still records\n", right, broken, accepted);
  return accepted > 0 && accepted < broken ? 0 : 1;   /* else this driver is of no use */
}
