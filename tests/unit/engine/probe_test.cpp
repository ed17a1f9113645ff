// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/probe.hpp"

#include "tests/catch.hpp"

#include <string>

namespace idlesim {

TEST_CASE("a probe calls its listeners in order of connection until they disconnect") {
    struct Listener {
        void hear(int value, const std::string& text) {
            *log += name + text + std::to_string(value);
        }

        std::string name;
        std::string* log;
    };

    std::string log;
    Listener a{"a", &log};
    Listener b{"b", &log};
    Probe<int, const std::string&> probe;
    CHECK_FALSE(probe.has_listeners());
    probe(1, "silent");
    probe.connect<&Listener::hear>(&b);
    probe.connect<&Listener::hear>(&a);
    CHECK(probe.has_listeners());
    probe(2, ":");
    CHECK(log == "b:2a:2");
    probe.disconnect(&b);
    probe(3, ":");
    CHECK(log == "b:2a:2a:3");
}

}  // namespace idlesim
