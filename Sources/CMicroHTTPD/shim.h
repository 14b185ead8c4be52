#ifndef MEROKIT_CMICROHTTPD_SHIM_H
#define MEROKIT_CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#if defined(__linux__)
#include <sys/epoll.h>
#else
#include <sys/event.h>
#include <time.h>
#endif

/* Enumerations that Swift names differently from one version of the library to the next. */
static const enum MHD_Result merokit_yes = MHD_YES;
static const enum MHD_Result merokit_no = MHD_NO;
static const enum MHD_ValueKind merokit_header_kind = MHD_HEADER_KIND;
static const enum MHD_ResponseMemoryMode merokit_must_copy = MHD_RESPMEM_MUST_COPY;
static const enum MHD_ConnectionNotificationCode merokit_connection_started = MHD_CONNECTION_NOTIFY_STARTED;

/* Functions with a variable argument list, which Swift cannot call. */

/* The target is handed on as the client sent it: decoding "%2F" would change which path is meant. */
static inline size_t merokit_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

static inline struct MHD_Daemon *merokit_start_daemon(
    int listening_socket, size_t memory_per_connection, unsigned int connection_limit,
    MHD_NotifyConnectionCallback connected, void *(*begun)(void *, const char *, struct MHD_Connection *),
    MHD_AccessHandlerCallback received, MHD_RequestCompletedCallback completed, void *context) {
  return MHD_start_daemon(
      MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, received, context,
      MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listening_socket,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory_per_connection,
      MHD_OPTION_CONNECTION_LIMIT, connection_limit,
      MHD_OPTION_STRICT_FOR_CLIENT, (int)1,
      /* Seconds without a byte either way, after which a request that was begun and left is given up. Answers that are
         being made, and streams that wait for news, are suspended and not counted. */
      MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)30,
      MHD_OPTION_NOTIFY_CONNECTION, connected, context,
      MHD_OPTION_URI_LOG_CALLBACK, begun, context,
      MHD_OPTION_UNESCAPE_CALLBACK, merokit_keep_escapes, NULL,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_END);
}

/* For an answer to HEAD whose length nobody knows. Left alone, the library would send the end of a chunked body
   after the head, and the client would take it for the next answer. So no coding, and the connection ends. */
static inline enum MHD_Result merokit_end_connection_after(struct MHD_Response *response) {
  return MHD_set_response_options(response, MHD_RF_HTTP_VERSION_1_0_ONLY, MHD_RO_END);
}

static inline int merokit_connection_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : (int)info->connect_fd;
}

static inline void *merokit_connection_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == NULL ? NULL : info->socket_context;
}

static inline size_t merokit_request_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info == NULL ? 0 : info->header_size;
}

/* Peers that close their side. libmicrohttpd does not look at a suspended connection, so it would never see that a
   client left while its answer is being made. A closed socket leaves the watch by itself. */

static inline int merokit_peers_watch(void) {
#if defined(__linux__)
  return epoll_create1(EPOLL_CLOEXEC);
#else
  return kqueue();
#endif
}

static inline int merokit_peers_add(int watch, int socket, uint64_t id) {
#if defined(__linux__)
  struct epoll_event event;
  memset(&event, 0, sizeof event);
  event.events = EPOLLRDHUP | EPOLLET;
  event.data.u64 = id;
  return epoll_ctl(watch, EPOLL_CTL_ADD, socket, &event);
#else
  struct kevent event;
  EV_SET(&event, socket, EVFILT_READ, EV_ADD | EV_CLEAR, 0, 0, (void *)(uintptr_t)id);
  return kevent(watch, &event, 1, NULL, 0, NULL);
#endif
}

/* The ids of peers that closed since the last call, at most `capacity` of them; does not wait.
   Returns how many there are, or a negative number when nothing more is to be read. */
static inline int merokit_peers_closed(int watch, uint64_t *ids, int capacity) {
  int closed = 0;
#if defined(__linux__)
  struct epoll_event events[64];
  int count = epoll_wait(watch, events, capacity < 64 ? capacity : 64, 0);
  if (count <= 0) return -1;
  for (int index = 0; index < count; index++) ids[closed++] = events[index].data.u64;
#else
  struct kevent events[64];
  struct timespec now = {0, 0};
  int count = kevent(watch, NULL, 0, events, capacity < 64 ? capacity : 64, &now);
  if (count <= 0) return -1;
  for (int index = 0; index < count; index++) {
    if (events[index].flags & EV_EOF) ids[closed++] = (uint64_t)(uintptr_t)events[index].udata;
  }
#endif
  return closed;
}

#endif
