#pragma once
#include <zstd.h>
#include <zstd_errors.h>

/// ZSTD_CONTENTSIZE_UNKNOWN and ZSTD_CONTENTSIZE_ERROR are casts, which are not imported.
static const unsigned long long parley_zstd_size_unknown = ZSTD_CONTENTSIZE_UNKNOWN;
static const unsigned long long parley_zstd_size_error = ZSTD_CONTENTSIZE_ERROR;
