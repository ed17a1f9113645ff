// SPDX-License-Identifier: Apache-2.0
#include "sim/output/zstd_stream.hpp"

#include <array>
#include <new>

#include <zstd.h>

namespace idlesim {
namespace {

// zstd's own default: tables of numbers shrink to a third, at some hundred MB a second.
constexpr int kLevel = 3;
constexpr std::size_t kBlock = std::size_t{1} << 16U;

}  // namespace

void ZstdStream::Free::operator()(ZSTD_CCtx_s* context) const {
    ZSTD_freeCCtx(context);
}

ZstdStream::ZstdStream() : context_{ZSTD_createCCtx()} {
    if (!context_) {
        throw std::bad_alloc{};
    }
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
}

ZstdStream::~ZstdStream() = default;

std::string ZstdStream::add(std::string_view bytes) {
    return run(bytes, false);
}

std::string ZstdStream::end() {
    return run({}, true);
}

std::string ZstdStream::run(std::string_view bytes, bool at_end) {
    std::string frame;
    std::array<char, kBlock> block{};
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (;;) {
        ZSTD_outBuffer out{block.data(), block.size(), 0};
        const std::size_t left =
            ZSTD_compressStream2(context_.get(), &out, &in, at_end ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left) != 0U) {
            // With these parameters only memory can be wanting.
            throw std::bad_alloc{};
        }
        frame.append(block.data(), out.pos);
        if (at_end ? left == 0 : in.pos == in.size) {
            return frame;
        }
    }
}

}  // namespace idlesim
