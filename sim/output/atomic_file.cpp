// SPDX-License-Identifier: Apache-2.0
#include "sim/output/atomic_file.hpp"

#include "sim/output/output_error.hpp"

#include <cerrno>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace idlesim {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 18U;

// mkstemp makes files private; give them the mode that open() would have given.
mode_t usual_mode() {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666U & ~mask;
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path, Durability durability)
    : path_{std::move(path)},
      temporary_{path_.parent_path() / fmt::format(".{}.XXXXXX", path_.filename().string())},
      durability_{durability} {
    descriptor_ = ::mkstemp(temporary_.data());
    if (descriptor_ < 0) {
        throw OutputError::from_errno("write", path_.string(), errno);
    }
    ::fchmod(descriptor_, usual_mode());
    buffer_.reserve(kBufferSize);
    if (path_.extension() == ".zst") {
        compressor_ = std::make_unique<ZstdStream>();
    }
}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
        ::unlink(temporary_.c_str());
    }
}

void AtomicFile::write(std::string_view bytes) {
    if (buffer_.size() + bytes.size() > kBufferSize) {
        flush(buffer_);
        buffer_.clear();
        if (bytes.size() >= kBufferSize) {
            flush(bytes);
            return;
        }
    }
    buffer_ += bytes;
}

void AtomicFile::flush(std::string_view bytes) {
    if (compressor_) {
        put(compressor_->add(bytes));
    } else {
        put(bytes);
    }
}

void AtomicFile::put(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR) {
                continue;
            }
            throw OutputError::from_errno("write", path_.string(), errno);
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

void AtomicFile::commit() {
    flush(buffer_);
    buffer_.clear();
    if (compressor_) {
        put(compressor_->end());
    }
    if (durability_ == Durability::sync_to_disk && ::fsync(descriptor_) != 0) {
        throw OutputError::from_errno("write", path_.string(), errno);
    }
    // Network file systems report a full disk only here.
    if (::close(std::exchange(descriptor_, -1)) != 0) {
        const int error = errno;
        ::unlink(temporary_.c_str());
        throw OutputError::from_errno("write", path_.string(), error);
    }
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
        const int error = errno;
        ::unlink(temporary_.c_str());
        throw OutputError::from_errno("write", path_.string(), error);
    }
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
    AtomicFile file{path};
    file.write(bytes);
    file.commit();
}

}  // namespace idlesim
