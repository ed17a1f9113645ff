// SPDX-License-Identifier: Apache-2.0
#include "sim/output/output_error.hpp"

#include <cerrno>
#include <system_error>

#include <fmt/format.h>

namespace idlesim {
namespace {

std::string_view advice(int error) {
    if (error == ENOSPC || error == EDQUOT) {
        return "; free some space or choose another place with --out";
    }
    if (error == EACCES || error == EPERM || error == EROFS || error == ENOENT) {
        return "; choose another place with --out";
    }
    return "";
}

}  // namespace

OutputError OutputError::from_errno(std::string_view doing, const std::string& path, int error) {
    return OutputError{fmt::format(
        "cannot {} {}: {}{}", doing, path, std::generic_category().message(error), advice(error))};
}

}  // namespace idlesim
