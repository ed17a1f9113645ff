// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/output/zstd_stream.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace idlesim {

/// A file that appears whole or not at all: bytes go to a temporary file in the same directory,
/// commit() renames it into place. Without commit() nothing is left. Every failure, including the
/// late ones of a full disk, is an OutputError. A file whose name ends in .zst is compressed.
class AtomicFile {
public:
    enum class Durability { rename_only, sync_to_disk };

    explicit AtomicFile(std::filesystem::path path,
                        Durability durability = Durability::rename_only);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    AtomicFile(AtomicFile&&) = delete;
    AtomicFile& operator=(AtomicFile&&) = delete;
    ~AtomicFile();

    void write(std::string_view bytes);
    void commit();

private:
    void flush(std::string_view bytes);
    void put(std::string_view bytes);

    std::filesystem::path path_;
    std::string temporary_;
    std::string buffer_;
    std::unique_ptr<ZstdStream> compressor_;
    Durability durability_;
    int descriptor_ = -1;
};

/// Writes all of `bytes` through an AtomicFile.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace idlesim
