#ifndef MEROKIT_CLIBCRYPTO_SHIM_H
#define MEROKIT_CLIBCRYPTO_SHIM_H

/* Checking signatures goes by EC_KEY, which OpenSSL 3 calls old and has underneath its newer keys: making one of those
   takes three times as long, and a quote takes five. */
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/param_build.h>
#include <openssl/params.h>

/* The parameter builder keeps the pointers it is given (names included) until it is turned into parameters,
   and Swift's strings live only as long as one call; so what needs it is written here. */

/* The uncompressed public point of a P-256 scalar. 0 when the scalar is not between 1 and n-1. */
static inline int merokit_p256_point(const unsigned char scalar[32], unsigned char point[65]) {
  int done = 0;
  EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
  BIGNUM *number = BN_secure_new();
  EC_POINT *product = group == NULL ? NULL : EC_POINT_new(group);
  if (product != NULL && number != NULL && BN_bin2bn(scalar, 32, number) != NULL) {
    BN_set_flags(number, BN_FLG_CONSTTIME);
    done = !BN_is_zero(number) && BN_cmp(number, EC_GROUP_get0_order(group)) < 0 &&
           EC_POINT_mul(group, product, number, NULL, NULL, NULL) == 1 &&
           EC_POINT_point2oct(group, product, POINT_CONVERSION_UNCOMPRESSED, point, 65, NULL) == 65;
  }
  EC_POINT_free(product);
  BN_clear_free(number);
  EC_GROUP_free(group);
  return done;
}

/* A key on the named curve of an uncompressed point and, unless it is NULL, the scalar that belongs to it.
   NULL when the point is not on the curve. */
static inline EVP_PKEY *merokit_ec_key(const char *curve, const unsigned char *point, size_t size,
                                       const unsigned char *scalar) {
  EVP_PKEY *key = NULL;
  OSSL_PARAM *parameters = NULL;
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
  BIGNUM *number = scalar == NULL ? NULL : BN_secure_new();
  int ready = builder != NULL && context != NULL &&
              OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, curve, 0) == 1 &&
              OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, size) == 1;
  if (ready && scalar != NULL) {
    ready = number != NULL && BN_bin2bn(scalar, (int)(size - 1) / 2, number) != NULL &&
            OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, number) == 1;
  }
  if (ready && (parameters = OSSL_PARAM_BLD_to_param(builder)) != NULL &&
      EVP_PKEY_fromdata_init(context) == 1) {
    EVP_PKEY_fromdata(context, &key, scalar == NULL ? EVP_PKEY_PUBLIC_KEY : EVP_PKEY_KEYPAIR, parameters);
  }
  OSSL_PARAM_free(parameters);
  OSSL_PARAM_BLD_free(builder);
  EVP_PKEY_CTX_free(context);
  BN_clear_free(number);
  return key;
}

/* A public key on the group's curve. NULL when the point is not on it. */
static inline EC_KEY *merokit_ec_public_key(const EC_GROUP *group, const unsigned char *point, size_t size) {
  EC_KEY *key = EC_KEY_new();
  if (key != NULL && (EC_KEY_set_group(key, group) != 1 || EC_KEY_oct2key(key, point, size, NULL) != 1)) {
    EC_KEY_free(key);
    key = NULL;
  }
  return key;
}

/* Whether r and s, big-endian and of `size` bytes each, sign the digest. */
static inline int merokit_ecdsa_is_valid_raw(EC_KEY *key, const unsigned char *signature, size_t size,
                                             const unsigned char *digest, size_t digest_size) {
  int valid = 0;
  ECDSA_SIG *pair = ECDSA_SIG_new();
  BIGNUM *r = BN_bin2bn(signature, (int)size, NULL);
  BIGNUM *s = BN_bin2bn(signature + size, (int)size, NULL);
  if (pair != NULL && r != NULL && s != NULL && ECDSA_SIG_set0(pair, r, s) == 1) {
    r = s = NULL; /* the pair owns them now */
    valid = ECDSA_do_verify(digest, (int)digest_size, pair, key) == 1;
  }
  BN_free(r);
  BN_free(s);
  ECDSA_SIG_free(pair);
  return valid;
}

/* A MAC context for HMAC over the named digest, without a key yet. */
static inline EVP_MAC_CTX *merokit_hmac_context(const char *digest) {
  EVP_MAC_CTX *context = NULL;
  EVP_MAC *mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
  if (mac != NULL && (context = EVP_MAC_CTX_new(mac)) != NULL) {
    OSSL_PARAM parameters[2] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)digest, 0), OSSL_PARAM_construct_end()};
    if (EVP_MAC_CTX_set_params(context, parameters) != 1) {
      EVP_MAC_CTX_free(context);
      context = NULL;
    }
  }
  EVP_MAC_free(mac);
  return context;
}

#endif
