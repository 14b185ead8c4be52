#ifndef MEROKIT_CLIBCRYPTO_SHIM_H
#define MEROKIT_CLIBCRYPTO_SHIM_H

#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#endif
