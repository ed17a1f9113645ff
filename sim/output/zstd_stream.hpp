// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct ZSTD_CCtx_s;

namespace idlesim {

/// Turns bytes into one Zstandard frame with a checksum, piece by piece, for zstdcat, pandas and
/// whatever else reads .zst. The frame depends on the bytes, on how they are divided into pieces,
/// and on the version of libzstd.
class ZstdStream {
public:
    ZstdStream();
    ZstdStream(const ZstdStream&) = delete;
    ZstdStream& operator=(const ZstdStream&) = delete;
    ZstdStream(ZstdStream&&) = delete;
    ZstdStream& operator=(ZstdStream&&) = delete;
    ~ZstdStream();

    /// Takes more bytes; returns what there is of the frame that was not returned before.
    [[nodiscard]] std::string add(std::string_view bytes);

    /// The rest of the frame.
    [[nodiscard]] std::string end();

private:
    [[nodiscard]] std::string run(std::string_view bytes, bool at_end);

    struct Free {
        void operator()(ZSTD_CCtx_s* context) const;
    };

    std::unique_ptr<ZSTD_CCtx_s, Free> context_;
};

}  // namespace idlesim
