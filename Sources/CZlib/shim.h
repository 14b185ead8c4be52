#ifndef MEROKIT_CZLIB_SHIM_H
#define MEROKIT_CZLIB_SHIM_H

#include <zlib.h>

/* The library's own are macros, which Swift cannot call. Negative window bits mean: no header. */

static inline int merokit_deflate_init(z_stream *stream) {
  return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}

static inline int merokit_inflate_init(z_stream *stream) { return inflateInit2(stream, -15); }

#endif
