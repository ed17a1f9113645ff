// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/config_target.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // libFuzzer hands out bytes, the loader takes text.
    idlesim::config::fuzz_config({reinterpret_cast<const char*>(data), size});
    return 0;
}
