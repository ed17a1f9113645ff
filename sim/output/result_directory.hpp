// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

namespace idlesim {

/// A directory of results that appears whole or not at all: files are written into a hidden
/// directory beside it, commit() puts that in place of what was there before. Without commit()
/// nothing changes and nothing is left.
///
/// A directory that exists is replaced only when it is empty or idlesim wrote it, which is known
/// by its marker: info.yml with `toolname: idlesim`. Everything that can be wrong with the place is
/// found by the constructor, so before a simulation starts. Errors: OutputError.
class ResultDirectory {
public:
    explicit ResultDirectory(const std::filesystem::path& target);
    ResultDirectory(const ResultDirectory&) = delete;
    ResultDirectory& operator=(const ResultDirectory&) = delete;
    ResultDirectory(ResultDirectory&&) = delete;
    ResultDirectory& operator=(ResultDirectory&&) = delete;
    ~ResultDirectory();

    /// Where to write now.
    [[nodiscard]] const std::filesystem::path& staging() const { return staging_; }

    /// Makes the folder `name` inside the staging directory and returns its path.
    std::filesystem::path make_folder(const std::filesystem::path& name) const;

    /// The result must contain info.yml, else the next run could not replace it.
    void commit();

private:
    void create_parents();
    void remove_created_parents() const;
    void stage();
    void replace_contents();
    void replace_whole();

    std::filesystem::path target_;
    std::filesystem::path staging_;
    std::vector<std::filesystem::path> created_parents_;
    bool inside_ = false;
    bool committed_ = false;
};

}  // namespace idlesim
