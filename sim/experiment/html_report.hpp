// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace idlesim {

/// One self-contained page (no script, no other file) about results of `run` and `validate`: what
/// was run, targets with verdicts, comparisons with intervals, where the time goes, findings.
/// Throws ConfigError for a folder that is no result, or one of another version.
[[nodiscard]] std::string html_report(const std::vector<std::filesystem::path>& folders);

}  // namespace idlesim
