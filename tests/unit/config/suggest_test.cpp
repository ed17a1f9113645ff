// SPDX-License-Identifier: Apache-2.0
#include "sim/config/suggest.hpp"

#include "tests/catch.hpp"

namespace idlesim::config {
namespace {

TEST_CASE("the nearest word within a third of the length is suggested") {
    const std::vector<std::string> words{"poll_limit", "grow", "run", "shrink"};
    CHECK(suggest("pol_limit", words) == "poll_limit");
    CHECK(suggest("runn", words) == "run");
    CHECK(suggest("gorw", words) == "grow");  // a swap counts once
    CHECK(suggest("rnu", words) == "run");
    CHECK_FALSE(suggest("xyz", words).has_value());
    CHECK_FALSE(suggest("grxy", words).has_value());
    CHECK_FALSE(suggest(std::string(100'000, 'x'), words).has_value());
    CHECK_FALSE(suggest("", words).has_value());
}

TEST_CASE("without a near word all are listed") {
    CHECK(suggestion_text("xyz", "keys", {"a1", "b1"}) == "; known keys: a1, b1");
    CHECK(suggestion_text("a2", "keys", {"a1", "b1"}) == "; did you mean 'a1'?");
    CHECK(suggestion_text("xyz", "keys", {}) == "; there are no keys");
}

TEST_CASE("a beginning is completed where only one word begins so, else those that do are listed") {
    const std::vector<std::string> words{"menu@6.12", "menu@6.3", "intel-icx-server"};
    CHECK(suggest("intel-icx", words) == "intel-icx-server");
    CHECK_FALSE(suggest("in", words).has_value());
    CHECK(suggestion_text("menu", "governors", words) == "; known governors: menu@6.12, menu@6.3");
}

}  // namespace
}  // namespace idlesim::config
