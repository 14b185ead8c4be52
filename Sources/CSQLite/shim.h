#ifndef MEROKIT_CSQLITE_SHIM_H
#define MEROKIT_CSQLITE_SHIM_H

#include <sqlite3.h>

/* SQLITE_TRANSIENT is a macro with a cast in it, which Swift cannot see: the library copies what is bound. */

static inline int merokit_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
  return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}

static inline int merokit_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int length) {
  /* No bytes at all would be NULL otherwise. */
  return length == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                     : sqlite3_bind_blob(statement, index, bytes, length, SQLITE_TRANSIENT);
}

/* A function with a variable argument list, which Swift cannot call. Closing then leaves the log as it is. */
static inline int merokit_keep_log_on_close(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

#endif
