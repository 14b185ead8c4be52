#ifndef MEROKIT_CCURL_SHIM_H
#define MEROKIT_CCURL_SHIM_H

/* The library's checks of arguments and warnings of age are for callers of its macros; here every type is written out. */
#define CURL_DISABLE_TYPECHECK
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* Functions with a variable argument list, which Swift cannot call. */

typedef size_t (*merokit_curl_bytes)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode merokit_curl_set_number(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode merokit_curl_set_large(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

/* A text, which the library copies, or a pointer, which it keeps. */
static inline CURLcode merokit_curl_set_text(CURL *easy, CURLoption option, const char *text) {
  return curl_easy_setopt(easy, option, text);
}

static inline CURLcode merokit_curl_set_pointer(CURL *easy, CURLoption option, void *pointer) {
  return curl_easy_setopt(easy, option, pointer);
}

static inline CURLcode merokit_curl_set_bytes(CURL *easy, CURLoption option, merokit_curl_bytes function) {
  return curl_easy_setopt(easy, option, function);
}

static inline CURLcode merokit_curl_set_progress(CURL *easy, curl_xferinfo_callback function) {
  return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, function);
}

static inline CURLcode merokit_curl_set_close(CURL *easy, curl_closesocket_callback function) {
  return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, function);
}

/* Sockets that a child process does not get: held by it they would not end when they are closed here. */
static inline curl_socket_t merokit_curl_open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)context;
  (void)purpose;
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static inline CURLcode merokit_curl_keep_sockets(CURL *easy) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, merokit_curl_open_socket);
}

/* Of the thread that calls; at most fifteen characters. */
static inline void merokit_curl_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

static inline int merokit_curl_close_socket(curl_socket_t socket) { return close(socket); }

/* What is called before each request that is sent. Libraries older than 7.80 have no such thing. */
static inline CURLcode merokit_curl_set_prerequest(CURL *easy, int (*function)(void *, char *, char *, int, int),
                                                   void *context) {
#if LIBCURL_VERSION_NUM >= 0x075000
  CURLcode code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_PREREQDATA, context) : code;
#else
  return CURLE_UNKNOWN_OPTION;
#endif
}

/* A transfer that is given up does not wait for its look-up of a name. Libraries older than 7.87 wait. */
static inline void merokit_curl_leave_lookups(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
}

/* Also where the library at hand is older than the one this was built with. */
static inline CURLcode merokit_curl_only_http(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  if (curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK) return CURLE_OK;
#endif
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
}

static inline CURLcode merokit_curl_get_number(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode merokit_curl_get_pointer(CURL *easy, CURLINFO info, void **value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode merokit_curl_get_socket(CURL *easy, curl_socket_t *socket) {
  return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, socket);
}

static inline CURLMcode merokit_curl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

/* Macros with casts or sums in them. */
static inline CURLcode merokit_curl_init(void) { return curl_global_init(CURL_GLOBAL_ALL); }

/* CURL_PREREQFUNC_OK and CURL_PREREQFUNC_ABORT, which older headers lack. */
static const int merokit_curl_send = 0;
static const int merokit_curl_do_not_send = 1;
static const size_t merokit_curl_pause_writing = CURL_WRITEFUNC_PAUSE;
static const size_t merokit_curl_abort_reading = CURL_READFUNC_ABORT;
static const int merokit_curl_go_on = CURLPAUSE_CONT;
static const long merokit_curl_tls_1_2 = CURL_SSLVERSION_TLSv1_2;
static const long merokit_curl_http_1_1 = CURL_HTTP_VERSION_1_1;

#endif
