// SPDX-License-Identifier: Apache-2.0
#include "sim/output/result_directory.hpp"

#include "sim/engine/check.hpp"
#include "sim/output/output_error.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace idlesim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMarkerFile = "info.yml";
constexpr const char* kMarkerLine = "toolname: idlesim";

bool written_by_idlesim(const fs::path& directory) {
    std::ifstream marker{directory / kMarkerFile};
    for (std::string line; std::getline(marker, line);) {
        if (line == kMarkerLine) {
            return true;
        }
    }
    return false;
}

void refuse_foreign(const fs::path& target) {
    std::error_code error;
    const fs::file_status status = fs::status(target, error);
    if (!fs::exists(status)) {
        return;
    }
    if (!fs::is_directory(status)) {
        throw OutputError{fmt::format(
            "{} exists and is not a directory; choose another place with --out", target.string())};
    }
    const bool empty = fs::is_empty(target, error);
    if (error) {
        throw OutputError::from_errno("read", target.string(), error.value());
    }
    if (!empty && !written_by_idlesim(target)) {
        throw OutputError{
            fmt::format("{} holds files that idlesim did not write (no {} with '{}'); "
                        "it is left alone: choose another place with --out",
                        target.string(),
                        kMarkerFile,
                        kMarkerLine)};
    }
}

// A symbolic link stays a link: what it points at is replaced.
fs::path resolved(const fs::path& target) {
    std::error_code error;
    fs::path path = fs::weakly_canonical(fs::absolute(target), error);
    if (error) {
        throw OutputError::from_errno("use", target.string(), error.value());
    }
    if (!path.has_filename()) {
        path = path.parent_path();
    }
    return path;
}

bool on_same_file_system(const fs::path& a, const fs::path& b) {
    struct stat first {};

    struct stat second {};

    return ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0 &&
           first.st_dev == second.st_dev;
}

bool make_temporary(std::string pattern, fs::path& made) {
    if (::mkdtemp(pattern.data()) == nullptr) {
        return false;
    }
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::chmod(pattern.c_str(), 0777U & ~mask);
    made = pattern;
    return true;
}

}  // namespace

ResultDirectory::ResultDirectory(const fs::path& target) : target_{resolved(target)} {
    refuse_foreign(target_);
    try {
        create_parents();
        stage();
    } catch (const OutputError&) {
        remove_created_parents();
        throw;
    }
}

void ResultDirectory::remove_created_parents() const {
    for (auto parent = created_parents_.rbegin(); parent != created_parents_.rend(); ++parent) {
        ::rmdir(parent->c_str());
    }
}

void ResultDirectory::create_parents() {
    std::vector<fs::path> missing;
    std::error_code error;
    for (fs::path parent = target_.parent_path(); !fs::exists(parent, error) && !error;
         parent = parent.parent_path()) {
        missing.push_back(parent);
    }
    while (!missing.empty()) {
        if (::mkdir(missing.back().c_str(), 0777) != 0 && errno != EEXIST) {
            throw OutputError::from_errno("make directory", missing.back().string(), errno);
        }
        created_parents_.push_back(missing.back());
        missing.pop_back();
    }
}

// Usually beside the target, so that one rename puts everything in place. A mount point, or a
// directory of ours in a parent that isn't, can only be filled from inside.
void ResultDirectory::stage() {
    const fs::path parent = target_.parent_path();
    std::error_code ignored;
    const bool exists = fs::exists(target_, ignored);
    int reason = EXDEV;
    if (!exists || (on_same_file_system(parent, target_) && target_ != fs::current_path(ignored))) {
        const std::string beside =
            (parent / fmt::format(".{}.XXXXXX", target_.filename().string())).string();
        if (make_temporary(beside, staging_)) {
            return;
        }
        reason = errno;
    }
    if (exists && make_temporary((target_ / ".partial.XXXXXX").string(), staging_)) {
        inside_ = true;
        return;
    }
    throw OutputError::from_errno("write to", target_.string(), exists ? errno : reason);
}

ResultDirectory::~ResultDirectory() {
    if (committed_) {
        return;
    }
    std::error_code ignored;
    fs::remove_all(staging_, ignored);
    remove_created_parents();
}

fs::path ResultDirectory::make_folder(const fs::path& name) const {
    fs::path folder = staging_ / name;
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
        throw OutputError::from_errno("make directory", folder.string(), error.value());
    }
    return folder;
}

void ResultDirectory::commit() {
    IDLESIM_CHECK(written_by_idlesim(staging_), "a result directory needs its marker");
    if (inside_) {
        replace_contents();
    } else {
        replace_whole();
    }
    committed_ = true;
}

void ResultDirectory::replace_whole() {
    // Onto nothing or an empty directory: one atomic step.
    if (::rename(staging_.c_str(), target_.c_str()) == 0) {
        return;
    }
    if (errno != ENOTEMPTY && errno != EEXIST) {
        throw OutputError::from_errno("write", target_.string(), errno);
    }
    // Someone else may have filled it while we simulated.
    refuse_foreign(target_);
    std::error_code ignored;
    if (::renameat2(AT_FDCWD, staging_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0) {
        fs::remove_all(staging_, ignored);
        return;
    }
    const fs::path old = staging_.string() + ".old";
    if (::rename(target_.c_str(), old.c_str()) != 0) {
        throw OutputError::from_errno("replace", target_.string(), errno);
    }
    if (::rename(staging_.c_str(), target_.c_str()) != 0) {
        const int reason = errno;
        ::rename(old.c_str(), target_.c_str());
        throw OutputError::from_errno("write", target_.string(), reason);
    }
    fs::remove_all(old, ignored);
}

// The marker goes first and comes last: a directory that was interrupted in between has none.
void ResultDirectory::replace_contents() {
    std::error_code error;
    fs::remove(target_ / kMarkerFile, error);
    for (const fs::directory_entry& entry : fs::directory_iterator{target_, error}) {
        if (entry.path() != staging_) {
            fs::remove_all(entry.path(), error);
        }
    }
    std::vector<fs::path> names;
    for (const fs::directory_entry& entry : fs::directory_iterator{staging_, error}) {
        if (entry.path().filename() != kMarkerFile) {
            names.push_back(entry.path().filename());
        }
    }
    names.emplace_back(kMarkerFile);
    for (const fs::path& name : names) {
        fs::rename(staging_ / name, target_ / name, error);
        if (error) {
            throw OutputError::from_errno("write", (target_ / name).string(), error.value());
        }
    }
    fs::remove(staging_, error);
}

}  // namespace idlesim
