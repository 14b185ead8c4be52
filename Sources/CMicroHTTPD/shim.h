#ifndef MEROKIT_CMICROHTTPD_SHIM_H
#define MEROKIT_CMICROHTTPD_SHIM_H

#include <microhttpd.h>

#endif
