// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace idlesim {

/// An output cannot be written (no space, no permission, not ours to replace). The message names
/// the path, the reason and what to do; the command line ends with exit status 3.
class OutputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;

    /// "cannot write PATH: No space left on device; ..." from an errno value.
    static OutputError from_errno(std::string_view doing, const std::string& path, int error);
};

}  // namespace idlesim
